import { plainTextInTurns } from '../../documents/markdown/plain-text.ts';
import { Slices } from '../../platform/turns/slices.ts';
import type { ReadPage } from './read-page.ts';

/** The lines of a paragraph. */
export type Paragraph = readonly string[];

/** What a page says, without Markdown, where no place of its text is known; nothing of a page with lines that have one. */
export async function unplacedText({ text, lines }: Pick<ReadPage, 'text' | 'lines'>): Promise<Paragraph[]> {
  if (!text || lines.length > 0) return [];
  return paragraphsOf(await new Slices().run(plainTextInTurns(text)));
}

function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: string[][] = [];
  let isOpen = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const isBlank = line.trim() === '';
    if (!isBlank && isOpen) paragraphs.at(-1)?.push(line);
    if (!isBlank && !isOpen) paragraphs.push([line]);
    isOpen = !isBlank;
  }
  return paragraphs;
}
