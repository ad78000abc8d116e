import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '../test/house/pdf.ts';
import { missingTesseract, readBare } from './anchors/bare-tesseract.ts';
import { compare, interleave, type Row } from './measure.ts';
import { makeScannedPages, type ScannedPage } from './scanned-pages.ts';
import { show } from './show.ts';
import { openStage, type Stage, type Target } from './stage.ts';

const PAGES = 20;
const AT_ONCE = 2;

interface Measured {
  readonly pagesPerSecond: number;
  readonly wordsRead: number;
}

/** Twenty scanned A4 pages through the service against the bare tesseract program on the same pages, two at a time. */
export async function benchOcr(options: { rounds: number }): Promise<Row[]> {
  const missing = missingTesseract();
  if (missing) {
    console.log(`\nocr: skipped, ${missing}`);
    return [];
  }
  const pages = await makeScannedPages(PAGES);
  await using stage = await openStage();
  const files = writePages(stage, pages);
  const pdf = makePdf(pages.map((page) => ({ picture: page })));
  const through = (pageCount: number) => read(stage.product, pdf, pageCount);
  await through(1); // starts the PDF thread, finds the program
  const pairs = await interleave(
    options.rounds,
    () => measure(pages, () => through(PAGES)),
    () => measure(pages, async () => (await readBare(files, AT_ONCE)).join('\n')),
  );
  const rows = [
    compare({ what: 'speed', unit: 'pages/s', better: 'more', bar: 0.9 }, pairs, (m) => m.pagesPerSecond),
    compare({ what: 'words read right', unit: '%', better: 'more', bar: null }, pairs, (m) => m.wordsRead * 100),
  ];
  show(`${PAGES} scanned A4 pages, 300 dpi, one PDF; anchor: the bare tesseract program on ready pages`, rows);
  return rows;
}

function writePages(stage: Stage, pages: readonly ScannedPage[]): string[] {
  return pages.map(({ png }, index) => {
    const file = join(stage.folder, `page-${index + 1}.png`);
    writeFileSync(file, png);
    return file;
  });
}

let calls = 0;

async function read({ port, key }: Target, pdf: Buffer, pageCount: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/ocr`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `ocr-${calls++}`,
    },
    body: JSON.stringify({
      engine: 'tesseract',
      page_count: pageCount,
      input: { type: 'base64', data_base64: pdf.toString('base64') },
    }),
  });
  const answer = (await response.json()) as { status: string; extracted_text: string }; // the product's own answer
  if (answer.status !== 'succeeded')
    throw new Error(`the pages were not read: ${JSON.stringify(answer).slice(0, 400)}`);
  return answer.extracted_text;
}

async function measure(pages: readonly ScannedPage[], work: () => Promise<string>): Promise<Measured> {
  const begun = performance.now();
  const text = await work();
  const seconds = (performance.now() - begun) / 1000;
  return { pagesPerSecond: pages.length / seconds, wordsRead: shareRead(text, pages) };
}

/** The share of the pages' words that stand in the text: whoever is fast must have read them, too. */
function shareRead(text: string, pages: readonly ScannedPage[]): number {
  const truth = pages.flatMap(({ words }) => words);
  const found = new Map<string, number>();
  for (const word of text.split(/\s+/)) found.set(word, (found.get(word) ?? 0) + 1);
  const right = truth.filter((word) => {
    const left = found.get(word) ?? 0;
    found.set(word, left - 1);
    return left > 0;
  });
  return right.length / truth.length;
}
