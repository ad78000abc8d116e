import { afterAll, beforeAll, expect, it } from 'vitest';
import { Caller } from '../house/caller.ts';
import { says, silence } from '../house/engine-answers.ts';
import { expectBalance } from '../house/expect-money.ts';
import { type HouseAccount, openHouse } from '../house/house.ts';
import { ocrBody, pictureBody } from '../house/ocr-body.ts';
import { makePdf } from '../house/pdf.ts';
import { pictureAs } from '../house/pictures.ts';
import { startProduct } from '../house/product.ts';
import { until } from '../house/until.ts';

const PLACES = 4;
const PAGES = 22;
const READ = 10;
const FIRST_WIDTH = 100;
const ENGINES = { reader: { max_pages_per_request: 50, concurrency: PLACES } };
// Its engine leaves calls unanswered: it would wait for them at its end.
const house = await openHouse({ engines: ENGINES, env: { SHUTDOWN_LIMIT_MS: '50' } });
const open: AsyncDisposable[] = [house];
afterAll(async () => {
  for (const each of open.reverse()) await each[Symbol.asyncDispose]();
});

interface JobAnswer {
  readonly status: string;
  readonly pages_done: number;
  readonly cost_debited: number;
  readonly cancelled_at?: string;
}

const jpeg = await pictureAs('jpeg');
const document = makePdf(
  Array.from({ length: PAGES }, (_, i) => ({
    size: [FIRST_WIDTH + i + 1, 80] as const,
    picture: { jpeg, width: 64, height: 48 },
  })),
);
const entries = () => Object.entries(ENGINES).map(([id, more]) => house.engines.entry(id, more));
let busy: HouseAccount;

beforeAll(async () => {
  busy = await house.account();
  house.engines.script('reader', async (call) => {
    const page = (await call.size()).width - FIRST_WIDTH;
    return page >= 1 && page <= READ ? says(`page ${page}`) : silence;
  });
  for (let i = 0; i < PLACES; i++) await busy.caller.ocr(await pictureBody('reader', { mode: 'async' }));
  await until('every place of the first process is taken', () => house.engines.calls('reader').length === PLACES);
});

it('is sold with the pages that were read before its process handed it back', async () => {
  const { accountId, apiKey, caller } = await house.account({ credit: 1 });
  const other = await startProduct({
    databaseUrl: house.databaseUrl,
    engines: entries(),
    env: { SHUTDOWN_LIMIT_MS: '50' },
  });
  open.push(other);
  const sender = new Caller(other.url, apiKey);
  const sent = await sender.ocr(
    ocrBody('reader', document, { mode: 'async', page_count: PAGES, settings: { dpi: 72 } }),
  );
  const status = async () => (await caller.get<JobAnswer>(sent.body.poll_url ?? '')).body;
  await until('some pages are read', async () => (await status()).pages_done === READ);
  await other.stop();
  expect((await status()).status).toBe('queued');
  const reply = await caller.call('POST', `/v1/ocr/${sent.body.request_id}/cancel`);
  expect(reply.status).toBeLessThanOrEqual(202);
  const ended = await until('it has ended', async () => {
    const seen = await status();
    return !['queued', 'processing'].includes(seen.status) && seen;
  });
  expect(ended).toMatchObject({ status: 'partial', pages_done: READ, cost_debited: 0.1 });
  const result = await caller.get<{ cancelled_at?: string }>(`/v1/ocr/${sent.body.request_id}`);
  expect(result.body.cancelled_at).toBeDefined();
  await expectBalance(house, accountId, 0.9);
  expect(await house.admin.doctor({ full: true })).toMatchObject({ ok: true });
});
