const ENDED = /[.!?…][”"’')\]]*$/;

/** Parts of a message as sentences: providers’ words, which some parts end in, often lack the full stop. */
export function sentences(parts: readonly string[]): string {
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (ENDED.test(part) ? part : `${part}.`))
    .join(' ');
}
