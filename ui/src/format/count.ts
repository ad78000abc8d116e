const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** A whole number with thousands separated. */
export function count(value: number | string | null | undefined): string {
  return value === null || value === undefined ? '–' : WHOLE.format(Number(value));
}

/** `12.4K`, where there is little room. */
export function shortCount(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : SHORT.format(value);
}

/** `1 page`, `3 pages`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
