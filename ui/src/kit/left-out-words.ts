type Knows = (word: string) => boolean;

const MOST_SHOWN = 40;

/** Words of an address that its page does not know, as `status “foo”`; `known` says by parameter which ones it does. */
export function leftOutWords(search: string, known: Readonly<Record<string, Knows>>): string[] {
  const given = new URLSearchParams(search);
  return Object.entries(known).flatMap(([name, knows]) =>
    wordsOf(given.get(name))
      .filter((word) => !knows(word))
      .map((word) => shown(name, word)),
  );
}

/** The words of a parameter, which commas part. */
export function wordsOf(value: string | null): string[] {
  return value?.split(',').filter(Boolean) ?? [];
}

function shown(name: string, word: string): string {
  return `${name} “${word.length > MOST_SHOWN ? `${word.slice(0, MOST_SHOWN)}…` : word}”`;
}
