import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '../test/house/pdf.ts';
import { SeededRandom } from '../test/house/seeded-random.ts';
import { compare, interleave, type Row } from './measure.ts';
import { makeText } from './scanned-pages.ts';
import { show } from './show.ts';
import { openStage, type Target } from './stage.ts';

const PAGES = 200;
const WARM_UPS = 3;

/** The text of a long PDF over HTTP against the `pdftotext` program on the same file. */
export async function benchPdfText({ rounds }: { rounds: number }): Promise<Row[]> {
  if (spawnSync('pdftotext', ['-v']).error) {
    console.log('\npdf-text: skipped, there is no pdftotext (Debian: poppler-utils)');
    return [];
  }
  await using stage = await openStage();
  const random = new SeededRandom(1);
  const pdf = makePdf(Array.from({ length: PAGES }, () => ({ text: makeText(random) })));
  const file = join(stage.folder, 'pages.pdf');
  writeFileSync(file, pdf);
  const through = () => timed(() => read(stage.product, pdf));
  for (let i = 0; i < WARM_UPS; i++) await through();
  const pairs = await interleave(rounds, through, () => timed(() => readByProgram(file)));
  const rows = [compare({ what: `${PAGES} pages`, unit: 'ms', better: 'less', bar: 1 }, pairs, (ms) => ms)];
  show('The text of a PDF, one synchronous request; anchor: pdftotext', rows);
  return rows;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

let calls = 0;

async function read({ port, key }: Target, pdf: Buffer): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/ocr`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `pdf-text-${calls++}`,
    },
    body: JSON.stringify({
      engine: 'pdf-text',
      page_count: PAGES,
      input: { type: 'base64', data_base64: pdf.toString('base64') },
    }),
  });
  const answer = (await response.json()) as { status: string; pages: number }; // the product's own answer
  if (answer.status === 'succeeded' && answer.pages === PAGES) return;
  throw new Error(`the pages were not read: ${JSON.stringify(answer).slice(0, 400)}`);
}

async function readByProgram(file: string): Promise<void> {
  const child = spawn('pdftotext', [file, '-'], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`pdftotext ended with ${code}`);
}
