/** Prints a sentence on a line of its own, also where another line is being rewritten. */
export function say(text: string, output: NodeJS.WriteStream = process.stderr): void {
  output.write(`${output.isTTY ? '\r\x1b[K' : ''}${text}\n`);
}
