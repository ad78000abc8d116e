import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { makePdf } from '../test/house/pdf.ts';
import { interleaved, type Row, show } from './measure.ts';
import { openStage } from './stage.ts';

const PAGES = 20;
const WIDTH = 2480;
const HEIGHT = 3508;
const AT_ONCE = 2;
const TEXT = new URL('../test/fixtures/quick-brown-fox.png', import.meta.url).pathname;

/** Twenty scanned A4 pages through the service against the bare tesseract program on the same pages, two at a time. */
export async function benchOcr(options: { rounds: number }): Promise<Row[]> {
  if (spawnSync('tesseract', ['--version']).error) {
    console.log('\nocr: skipped, there is no tesseract program on the PATH');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'ocr-router-pages-'));
  try {
    const pages = await Promise.all(Array.from({ length: PAGES }, (_, n) => makePage(n)));
    const files = pages.map((page, n) => {
      const file = join(folder, `page-${n}.png`);
      writeFileSync(file, page.png);
      return file;
    });
    const pdf = makePdf(pages.map(({ jpeg }) => ({ picture: { jpeg, width: WIDTH, height: HEIGHT } })));
    await using stage = await openStage({ seconds: 1 });
    let call = 0;
    const body = (n: number) =>
      JSON.stringify({
        engine: 'tesseract',
        page_count: n,
        input: { type: 'base64', data_base64: Buffer.from(pdf).toString('base64') },
      });
    const read = async (n: number) => {
      const response = await fetch(`http://127.0.0.1:${stage.productPort}/v1/ocr`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stage.key}`,
          'content-type': 'application/json',
          'idempotency-key': `ocr-${call++}`,
        },
        body: body(n),
      });
      const answer = (await response.json()) as { status: string; pages: number };
      if (answer.status !== 'succeeded')
        throw new Error(`the pages were not read: ${JSON.stringify(answer).slice(0, 400)}`);
    };
    await read(2); // warm
    const rate = async (work: () => Promise<void>) => {
      const begun = performance.now();
      await work();
      return PAGES / ((performance.now() - begun) / 1000);
    };
    const result = await interleaved(
      options.rounds,
      () => rate(() => read(PAGES)),
      () => rate(() => bare(files)),
    );
    const rows: Row[] = [
      { what: `${PAGES} scanned A4 pages, 300 dpi`, ...result, unit: 'pages/s', better: 'more', bar: 0.9 },
    ];
    show('Scanned pages against the bare tesseract program, two at a time', rows);
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A page of text at A4 and 300 dpi with a little scanner noise, another one each time. */
async function makePage(n: number): Promise<{ jpeg: Buffer; png: Buffer }> {
  const text = await sharp(TEXT).resize({ width: 1900 }).greyscale().png().toBuffer();
  const { height = 300 } = await sharp(text).metadata();
  const rows = Math.min(8, Math.floor((HEIGHT - 600) / height));
  const layers = Array.from({ length: rows }, (_, row) => ({
    input: text,
    left: 280 + (n % 5) * 4,
    top: 250 + row * height,
  }));
  const jpeg = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#fbfbfb' } })
    .composite(layers)
    .greyscale()
    .withMetadata({ density: 300 })
    .jpeg({ quality: 80 })
    .toBuffer();
  return { jpeg, png: await sharp(jpeg).withMetadata({ density: 300 }).png().toBuffer() };
}

async function bare(files: readonly string[]): Promise<void> {
  const waiting = [...files];
  const lane = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await tesseract(file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

function tesseract(file: string): Promise<void> {
  return new Promise((done, failed) => {
    const env = { PATH: process.env['PATH'] ?? '', OMP_THREAD_LIMIT: '1' };
    const child = spawn('tesseract', [file, 'stdout'], { env, stdio: ['ignore', 'ignore', 'ignore'] });
    child.on('exit', (code) => (code === 0 ? done() : failed(new Error(`tesseract ended with ${code}`))));
  });
}
