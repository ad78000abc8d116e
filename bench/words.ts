import { makePdf } from '../test/house/pdf.ts';
import { SeededRandom } from '../test/house/seeded-random.ts';
import { compare, interleave, type Row } from './measure.ts';
import { cpuMs } from './process-figures.ts';
import { makeText } from './scanned-pages.ts';
import { show } from './show.ts';
import { makeKey, openStage, type Stage } from './stage.ts';

const PAGES = 200;
const WARM_UPS = 4;
const BAR = 1.3;

let calls = 0;

interface Costs {
  readonly ms: number;
  readonly processorMs: number;
}

/** A long PDF with the positions of its words against the same without. */
export async function benchWords({ rounds }: { rounds: number }): Promise<Row[]> {
  await using stage = await openStage();
  const random = new SeededRandom(1);
  const pdf = makePdf(Array.from({ length: PAGES }, () => ({ text: makeText(random) })));
  for (let i = 0; i < WARM_UPS; i++) await read(stage, { pdf, include: ['words'] });
  const pairs = await interleave(
    rounds,
    () => read(stage, { pdf, include: ['words'] }),
    () => read(stage, { pdf }),
  );
  const subject = { unit: 'ms', better: 'less', bar: BAR } as const;
  const rows = [
    compare({ ...subject, what: `${PAGES} pages` }, pairs, ({ ms }) => ms),
    compare({ ...subject, what: 'processor time of the service' }, pairs, ({ processorMs }) => processorMs),
  ];
  show('The words of a PDF with their positions, one synchronous request; anchor: the same without `include`', rows);
  return rows;
}

/** By an account of its own: each has so many positions a second, and some at once. */
async function read(
  { product, databaseUrl }: Stage,
  { pdf, include }: { pdf: Buffer; include?: string[] },
): Promise<Costs> {
  const key = await makeKey(databaseUrl, { email: `words-${calls++}@localhost` });
  const body = JSON.stringify({
    engine: 'pdf-text',
    page_count: PAGES,
    ...(include && { include }),
    input: { type: 'base64', data_base64: pdf.toString('base64') },
  });
  const before = { ms: performance.now(), processorMs: cpuMs(product.pid) };
  const response = await fetch(`http://127.0.0.1:${product.port}/v1/ocr`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'words' },
    body,
  });
  const answer = await response.text();
  const costs = { ms: performance.now() - before.ms, processorMs: cpuMs(product.pid) - before.processorMs };
  const { status, pages } = JSON.parse(answer) as { status: string; pages: number }; // the product's own answer
  if (status === 'succeeded' && pages === PAGES && answer.includes('"polygon"') === (include !== undefined))
    return costs;
  throw new Error(`the pages were not read: ${answer.slice(0, 400)}`);
}
