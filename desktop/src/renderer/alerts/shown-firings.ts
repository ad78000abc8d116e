const SHOWN = 8;

/** Of what a rule would have told, oldest first, the latest ones, newest first, and how many there are before them. */
export function shownFirings<T>(fired: readonly T[]): { readonly shown: readonly T[]; readonly more: number } {
  const shown = fired.slice(-SHOWN).reverse();
  return { shown, more: fired.length - shown.length };
}
