/** A share from 0 to 1 as a percentage; never `100 %` or `0 %` of what is not quite that. */
export function share(value: number | null | undefined, decimals = 1): string {
  return value === null || value === undefined ? '–' : percent(value * 100, decimals);
}

/** A percentage from 0 to 100; never `100 %` or `0 %` of what is not quite that. */
export function percent(value: number | null | undefined, decimals = 2): string {
  if (value === null || value === undefined) return '–';
  if (value === 0 || value === 100) return `${value} %`;
  const step = 10 ** -decimals;
  const kept = Math.min(100 - step, Math.max(step, value));
  return `${kept.toFixed(decimals)} %`;
}
