/** `1 page`, `3 pages`: as many as there are of what has its plural with an s, for a sentence. */
export function counted(number: number, one: string): string {
  return number === 1 ? `1 ${one}` : `${number} ${one}s`;
}
