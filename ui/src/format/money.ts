const ROUND = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const LINED_UP = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
  maximumFractionDigits: 9,
});
const EXACT = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 9 });

/** USD as people read it: two decimals, and as many more as a small amount needs to be told from zero. */
export function money(usd: number | null | undefined): string {
  if (usd === null || usd === undefined) return '–';
  if (usd === 0 || Math.abs(usd) >= 0.1) return ROUND.format(usd);
  const decimals = Math.min(9, Math.ceil(-Math.log10(Math.abs(usd))) + 2);
  const text = Math.abs(usd).toFixed(decimals).replace(/0+$/, '');
  return `${usd < 0 ? '-' : ''}$${text.padEnd(4, '0')}`;
}

/** USD to the last digit, for ledgers and copies. */
export function exactMoney(usd: number): string {
  return EXACT.format(usd === 0 ? 0 : usd);
}

/** The same in a column, where the points stand one under the other: what a page costs has up to four decimals. */
export function columnMoney(usd: number): string {
  return LINED_UP.format(usd === 0 ? 0 : usd);
}
