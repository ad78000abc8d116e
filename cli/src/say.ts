/** What is needed of a stream to say something there. */
export interface Output {
  readonly isTTY?: boolean;
  /** The width of a terminal. */
  readonly columns?: number;
  write(text: string): boolean;
}

/** Prints a sentence on a line of its own, also where another line is being rewritten. */
export function say(text: string, output: Output = process.stderr): void {
  output.write(`${output.isTTY ? '\r\x1b[K' : ''}${clean(text)}\n`);
}

/** A text with its control characters as JSON writes them: names of files may have any, and a terminal obeys them. */
export function clean(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
