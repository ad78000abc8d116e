/** A warning for the pages that an engine was asked for and left out without a word; none where it left out none. */
export function omittedPages(asked: readonly number[], answered: readonly number[]): string[] {
  const omitted = asked.filter((page) => !answered.includes(page));
  if (omitted.length === 0) return [];
  return [
    `The engine answered for ${asked.length - omitted.length} of ${asked.length} pages; missing: ${omitted.join(', ')}.`,
  ];
}
