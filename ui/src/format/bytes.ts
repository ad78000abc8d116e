const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in decimal units: `840 B`, `1.2 MB`. */
export function bytes(count: number | null | undefined): string {
  if (count === null || count === undefined) return '–';
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
