import { plainTextInTurns } from '../../documents/markdown/plain-text.ts';
import { Slices } from '../../platform/turns/slices.ts';
import type { ReadPage } from './read-page.ts';

/** The lines of a paragraph. */
export type Paragraph = readonly string[];

/** What a page says, without Markdown, where no place of its text is known; nothing of a page with lines that have one. */
export async function unplacedText({ text, lines }: Pick<ReadPage, 'text' | 'lines'>): Promise<Paragraph[]> {
  if (!text || lines.length > 0) return [];
  const slices = new Slices();
  return slices.run(paragraphsOf(await slices.run(plainTextInTurns(text))));
}

const LINE = /[^\r\n]*(?:\r\n|\n|\r|$)/g;
/** Lines that are looked at in one go. */
const LINES = 1000;

function* paragraphsOf(text: string): Generator<void, string[][]> {
  const paragraphs: string[][] = [];
  let isOpen = false;
  let seen = 0;
  for (const [withEnding] of text.matchAll(LINE)) {
    if (++seen % LINES === 0) yield;
    const line = withEnding.replace(/[\r\n]+$/, '');
    const isBlank = line.trim() === '';
    if (!isBlank && isOpen) paragraphs.at(-1)?.push(line);
    if (!isBlank && !isOpen) paragraphs.push([line]);
    isOpen = !isBlank;
  }
  return paragraphs;
}
