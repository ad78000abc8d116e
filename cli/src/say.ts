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

/**
 * A text with its control characters as JSON writes them: names of files may have any, and a terminal obeys them. Bytes of names
 * that are no UTF-8 (`pathOf`) are shown as `\xe9`.
 */
export function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]/gu, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return /^dc[89a-f]/.test(code) ? `\\x${code.slice(2)}` : `\\u${code}`;
  });
}
