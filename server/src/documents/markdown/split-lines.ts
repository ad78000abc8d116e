export interface Line {
  readonly text: string;
  /** `\n`, `\r\n`, `\r`, or nothing at the end of the text. */
  readonly ending: string;
}

/** Every character of the text stands in one of the lines. */
export function splitLines(text: string): Line[] {
  const parts = text.split(/(\r\n|\n|\r)/);
  const lines: Line[] = [];
  for (let i = 0; i < parts.length; i += 2) lines.push({ text: parts[i] ?? '', ending: parts[i + 1] ?? '' });
  return lines;
}
