import { isWrittenFromRight } from './ligatures.ts';

const OPENING = '([{«';
const CLOSING = ')]}»';

/**
 * The text with the brackets of lines from the right as they are written. A bracket is drawn mirrored there, and PDFs name what is
 * drawn: where the brackets of a line do not close each other, and would if all were turned around, they are.
 */
export function turnBrackets(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      if (!isWrittenFromRight(line) || areBalanced(line)) return line;
      const turned = [...line].map(mirrored).join('');
      return areBalanced(turned) ? turned : line;
    })
    .join('\n');
}

function mirrored(letter: string): string {
  return CLOSING[OPENING.indexOf(letter)] ?? OPENING[CLOSING.indexOf(letter)] ?? letter;
}

function areBalanced(line: string): boolean {
  const open: number[] = [];
  for (const letter of line) {
    const closing = CLOSING.indexOf(letter);
    if (OPENING.includes(letter)) open.push(OPENING.indexOf(letter));
    else if (closing >= 0 && open.pop() !== closing) return false;
  }
  return open.length === 0;
}
