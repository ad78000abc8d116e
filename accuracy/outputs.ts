import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { bagOf, lostShare, placedShare, sameEdges, type WordOnPage } from './output-words.ts';

/**
 * `npm run outputs -- --documents DIR --url http://127.0.0.1:8080 --key sk-ocr-… [--pages 3]`: has documents read by a
 * running service, asks for a searchable PDF of each, and makes one with OCRmyPDF beside it, where that is installed.
 * With `--engine pdf-text` it says of the documents' own words, too, how many have their four edges where `pdftotext -bbox`
 * has them. Needs `pdftotext` (poppler).
 */
const { values } = parseArgs({
  options: {
    documents: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    key: { type: 'string' },
    engine: { type: 'string', default: 'tesseract' },
    pages: { type: 'string', default: '3' },
  },
});
if (!values.documents || !values.key) throw new Error('Say --documents DIR and --key sk-ocr-….');
const { documents, key, url, engine } = values;

interface Read {
  readonly request_id: string;
  readonly status: string;
  readonly extracted_text?: string | null;
  readonly page_results?: {
    page: number;
    width?: number;
    height?: number;
    lines?: { words?: { text: string; polygon: number[] }[] }[];
  }[];
}

const SUPPORTED = /\.(pdf|png|jpe?g|tiff?|webp|bmp|gif)$/i;
const OCRMYPDF_LIMIT_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), 'ocr-router-outputs-'));
const rows: string[][] = [];
const own = { both: 0, same: 0 };

for (const name of readdirSync(documents).filter((file) => SUPPORTED.test(file))) {
  // A service refuses a body that is too large before it has come.
  const row = await compared(join(documents, name)).catch((error: unknown) => [String(error)]);
  rows.push([name, ...row]);
  console.error(rows.at(-1)?.join(' | '));
}
rmSync(folder, { recursive: true });
const HEAD = [
  'document',
  'bytes',
  'made',
  'layers',
  'bytes more',
  'seconds',
  'words lost',
  'in place',
  'own words at the same edges',
  'OCRmyPDF: bytes',
  'seconds',
  'words lost',
];
for (const row of [HEAD, HEAD.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
if (own.both > 0)
  console.log(`own words at the same edges: ${own.same} of ${own.both}, ${percent(own.same / own.both)}`);

async function compared(path: string): Promise<string[]> {
  const document = readFileSync(path);
  const read = await readBy(document);
  if (typeof read === 'string') return [String(document.length), read];
  const startedAt = performance.now();
  const answer = await fetch(`${url}/v1/ocr/${read.request_id}/output?format=pdf`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
    body: document,
  });
  const made = Buffer.from(await answer.arrayBuffer());
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  if (answer.status !== 200) return [String(document.length), `${answer.status} ${made.toString().slice(0, 120)}`];
  const way = answer.headers.get('x-ocr-output') ?? '';
  const isWhole = way !== 'extended' || made.subarray(0, document.length).equals(document);
  const output = join(folder, 'ours.pdf');
  writeFileSync(output, made);
  const layers = Number(answer.headers.get('x-ocr-output-pages'));
  const words = layers === read.page_results?.length ? wordsOf(read) : [];
  return [
    String(document.length),
    isWhole ? way : `${way}, AND CHANGED`,
    String(layers),
    String(made.length - document.length),
    seconds,
    percent(lostShare(bagOf(read.extracted_text ?? ''), bagOf(textOf(output)))),
    words.length > 0 ? percent(placedShare(words, boxesOf(output, read))) : '',
    engine === 'pdf-text' ? ownWords(path, read) : '',
    ...(await byOcrmypdf(path, read)),
  ];
}

/** Of the words that both have: how many have the same four edges, within 1 % of the page. */
function ownWords(path: string, read: Read): string {
  const { both, same } = sameEdges(wordsOf(read), boxesOf(path, read));
  own.both += both;
  own.same += same;
  return `${same} of ${both}`;
}

async function readBy(document: Buffer): Promise<Read | string> {
  const reply = await fetch(`${url}/v1/ocr`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      engine,
      input: { type: 'base64', data_base64: document.toString('base64') },
      page_count: Number(values.pages),
      include: ['words'],
    }),
  });
  const read = (await reply.json()) as Read; // the service's contract
  return read.status === 'succeeded' ? read : `not read: ${reply.status}`;
}

async function byOcrmypdf(path: string, read: Read): Promise<string[]> {
  const output = join(folder, 'theirs.pdf');
  rmSync(output, { force: true });
  const startedAt = performance.now();
  const picture = /\.pdf$/i.test(path) ? [] : ['--image-dpi', '300'];
  const pages = ['--pages', `1-${values.pages}`];
  const options = ['--skip-text', '--rotate-pages', '--output-type', 'pdf', ...pages, '--jobs', '1', ...picture];
  try {
    // Tesseract's own threads cost more than they bring.
    const env = { ...process.env, OMP_THREAD_LIMIT: '1' };
    await promisify(execFile)('ocrmypdf', [...options, path, output], { timeout: OCRMYPDF_LIMIT_MS, env });
  } catch (error) {
    const { code } = error as { code?: unknown }; // as Node says it
    return [code === 'ENOENT' ? 'not installed' : `failed (${code ?? 'time'})`];
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
  const lost = lostShare(bagOf(read.extracted_text ?? ''), bagOf(textOf(output)));
  return [String(statSync(output).size), seconds, percent(lost)];
}

function textOf(pdf: string): string {
  return spawnSync('pdftotext', ['-l', String(values.pages), pdf, '-'], { encoding: 'utf8' }).stdout;
}

/** Poppler tells the places on the page as it is shown, and the size of the page before it is turned. */
function boxesOf(pdf: string, { page_results: pages = [] }: Read): WordOnPage[] {
  const html = spawnSync('pdftotext', ['-bbox', '-l', String(values.pages), pdf, '-'], { encoding: 'utf8' }).stdout;
  return html
    .split('<page ')
    .slice(1)
    .flatMap((page, index) => {
      const size = [...page.slice(0, 100).matchAll(/(?:width|height)="([\d.]+)"/g)].map(([, n]) => Number(n));
      const shown = pages[index];
      const isTurned = ((shown?.width ?? 1) - (shown?.height ?? 1)) * ((size[0] ?? 1) - (size[1] ?? 1)) < 0;
      const [width = 1, height = 1] = isTurned ? size.toReversed() : size;
      const found = page.matchAll(
        /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g,
      );
      return [...found].map(([, left, top, right, bottom, text = '']) => ({
        page: index + 1,
        text: text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
        left: Number(left) / width,
        top: Number(top) / height,
        right: Number(right) / width,
        bottom: Number(bottom) / height,
      }));
    });
}

function wordsOf({ page_results: pages = [] }: Read): WordOnPage[] {
  return pages.flatMap(({ page, lines = [] }) =>
    lines.flatMap(({ words = [] }) =>
      words.map(({ text, polygon }) => {
        const [xs, ys] = [0, 1].map((axis) => polygon.filter((_, at) => at % 2 === axis));
        return {
          ...{ page, text },
          ...{ left: Math.min(...(xs ?? [])), right: Math.max(...(xs ?? [])) },
          ...{ top: Math.min(...(ys ?? [])), bottom: Math.max(...(ys ?? [])) },
        };
      }),
    ),
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
