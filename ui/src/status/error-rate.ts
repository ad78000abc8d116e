/** From this share of errors on, an engine needs somebody to look at it. */
export const HIGH_ERROR_RATE = 0.05;

export function isHighErrorRate({ errorRate }: { readonly errorRate: number | null }): boolean {
  return errorRate !== null && errorRate >= HIGH_ERROR_RATE;
}
