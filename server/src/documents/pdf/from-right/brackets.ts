import { isWrittenFromRight } from './ligatures.ts';

const OPENING = '([{«';
const CLOSING = ')]}»';

/**
 * Mends the brackets of lines that are written from the right. A bracket is drawn mirrored there, and PDFs name what is drawn:
 * where the brackets of a line do not close each other, but would if all were turned, they are turned.
 */
export function turnBrackets(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      if (!isWrittenFromRight(line) || areBalanced(line)) return line;
      const turned = [...line].map(mirrored).join('');
      return [turned, paired(line)].find(areBalanced) ?? line;
    })
    .join('\n');
}

function mirrored(letter: string): string {
  return CLOSING[OPENING.indexOf(letter)] ?? OPENING[CLOSING.indexOf(letter)] ?? letter;
}

/** Makes the brackets of each kind opening and closing ones in turn. */
function paired(line: string): string {
  const seen = [0, 0, 0, 0];
  return [...line]
    .map((letter) => {
      const kind = Math.max(OPENING.indexOf(letter), CLOSING.indexOf(letter));
      if (kind < 0) return letter;
      seen[kind] = (seen[kind] ?? 0) + 1;
      return ((seen[kind] ?? 0) % 2 === 1 ? OPENING : CLOSING)[kind];
    })
    .join('');
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
