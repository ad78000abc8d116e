const MARK = /^[ \t]*\[\[page (\d{1,9})\]\][ \t]*\r?$/gim;

export interface MarkedPage {
  readonly number: number;
  readonly text: string;
}

/** The line that a model writes before a page when it reads several in one call. */
export function pageMark(page: number): string {
  return `[[page ${page}]]`;
}

/**
 * Divides one answer into its pages, in the order asked for. A page whose mark is missing is left out. Where there are no marks,
 * or they do not say which pages they stand for, all of the text is on the first page, the others are empty, and `marked` is
 * false. `total`: pages of the document, where that is known.
 */
export function splitPages(
  text: string,
  pages: readonly number[],
  total?: number,
): { pages: MarkedPage[]; marked: boolean } {
  const [first = 1, ...others] = pages;
  if (others.length === 0) return { pages: [{ number: first, text: text.replace(MARK, '').trim() }], marked: true };
  const marks = marksOf(text, pages, total);
  const numberOf = numbersOf(marks, pages, total);
  if (numberOf === null) {
    const all = marks.length === 0 ? text : text.replace(MARK, '').trim();
    return { pages: [{ number: first, text: all }, ...others.map((number) => ({ number, text: '' }))], marked: false };
  }
  const texts = new Map<number, string>();
  const add = (number: number, part: string) =>
    texts.set(number, [texts.get(number), part.trim()].filter(Boolean).join('\n\n'));
  const start = text.slice(0, marks[0]?.index);
  if (start.trim() !== '') add(first, start);
  marks.forEach((mark, i) => {
    const written = Number(mark[1]);
    add(numberOf.get(written) ?? written, text.slice(mark.index + mark[0].length, marks[i + 1]?.index));
  });
  return {
    pages: pages.flatMap((number) => (texts.has(number) ? [{ number, text: texts.get(number) ?? '' }] : [])),
    marked: true,
  };
}

/**
 * Finds the marks. Where all pages of a document were read and each has its mark, lines that look like marks of other pages are
 * text.
 */
function marksOf(text: string, pages: readonly number[], total: number | undefined): RegExpExecArray[] {
  const marks = [...text.matchAll(MARK)];
  const written = new Set(marks.map((mark) => Number(mark[1])));
  const isWhole = pages.length === total && pages.every((page) => written.has(page));
  return isWhole ? marks.filter((mark) => pages.includes(Number(mark[1]))) : marks;
}

/**
 * The pages that marks stand for, where these are not the numbers written: a model that read all pages of a document may take the
 * numbers that are printed on them. Empty where all stand for the number written, null where it cannot be known.
 */
function numbersOf(
  marks: readonly RegExpExecArray[],
  pages: readonly number[],
  total: number | undefined,
): ReadonlyMap<number, number> | null {
  if (marks.length === 0) return null;
  const written = [...new Set(marks.map((mark) => Number(mark[1])))];
  if (pages.length !== total || written.every((number) => pages.includes(number))) return new Map();
  const rises = written.every((number, index) => index === 0 || number > (written[index - 1] ?? number));
  if (!rises || written.length !== pages.length) return null;
  return new Map(written.map((number, index) => [number, pages[index] ?? number]));
}
