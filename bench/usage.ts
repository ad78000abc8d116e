import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from '../server/src/database/embedded.ts';
import { makeLog } from '../server/src/platform/logging/log.ts';
import { startProduct } from '../test/house/product.ts';
import { withClient } from '../test/house/with-client.ts';
import { adminOf } from './admin.ts';
import { medianMs } from './call-times.ts';
import { openFolder } from './folder.ts';
import { compare, interleave, type Row } from './measure.ts';
import { show } from './show.ts';

const FEW = 1000;
const PER_PAGE = 50;
const PATIENCE_MS = 600_000;

/** A time as the first ten characters of an id, as `ids.ts` writes it. */
const TIME_DIGITS = `(select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ',
  (((extract(epoch from at) * 1000)::bigint >> (45 - 5 * i)) & 31)::int + 1, 1), '' order by i) from generate_series(0, 9) i)`;

interface Owner {
  readonly accountId: string;
  readonly key: string;
}

/** The usage history of an account with many requests (ours) beside that of one with few (anchor), in one installation. */
export async function benchUsage({ rounds, seconds, rows: many }: { rounds: number; seconds: number; rows: number }) {
  await using stack = new AsyncDisposableStack();
  const { folder } = stack.use(openFolder());
  const { url } = stack.use(
    await startEmbedded({ dataDir: join(folder, 'data'), log: makeLog('warn'), durable: false }),
  );
  const product = stack.use(await startProduct({ databaseUrl: url }));
  const [few, large] = [await makeOwner(url, 'few'), await makeOwner(url, 'many')];
  await fill(url, few, FEW);
  await fill(url, large, many);

  const rows: Row[] = [];
  const read = (owner: Owner, page: number) => () =>
    medianMs(seconds / 3, () =>
      call(`${product.dashboardUrl}/api/usage?user_id=${owner.accountId}&per_page=${PER_PAGE}&page=${page}`, owner.key),
    );
  const places = [
    ['the first page', 1, 1],
    ['a page in the middle', FEW / PER_PAGE / 2, Math.floor(many / PER_PAGE / 2)],
    ['the last page', FEW / PER_PAGE, Math.floor(many / PER_PAGE)],
  ] as const;
  for (const [what, pageOfFew, pageOfMany] of places) {
    for (const warm of [read(few, pageOfFew), read(large, pageOfMany)]) await warm();
    const pairs = await interleave(rounds, read(large, pageOfMany), read(few, pageOfFew));
    rows.push(compare({ what: `GET /api/usage, ${what}`, unit: 'ms', better: 'less', bar: 1.5 }, pairs, (ms) => ms));
  }
  show(`Usage of an account with ${many} requests in 30 days (ours) and with ${FEW} (anchor): median, 1 client`, rows);
  return rows;
}

async function makeOwner(databaseUrl: string, name: string): Promise<Owner> {
  const admin = adminOf(databaseUrl);
  const { account_id: accountId = '' } = await admin(
    'account',
    'create',
    '--email',
    `${name}@localhost`,
    '--tier',
    'unlimited',
  );
  const { api_key: key = '' } = await admin('key', 'create', '--account', accountId);
  return { accountId, key };
}

/** Ended requests, spread over the last 30 days, rolled up. */
async function fill(url: string, { accountId }: Owner, requests: number): Promise<void> {
  await withClient(url, async (client) => {
    const started = performance.now();
    await client.query(
      `insert into ocr_request (id, account_id, requested_engine, engine, mode, effective, status, outcome, hold, cost, pages,
         created_at, finished_at)
       select 'ocr_' || ${TIME_DIGITS} || lpad(n::text, 16, '0'), $1, 'reader', 'reader', 'sync', '{}', 'succeeded', 'succeeded',
         10, 10, 1, at, at
       from (select n, now() - (29.9 * ($2::int - n) / $2::int) * interval '1 day' as at from generate_series(1, $2::int) n) one`,
      [accountId, requests],
    );
    await client.query('vacuum analyze');
    const deadline = performance.now() + PATIENCE_MS;
    while ((await client.query('select from usage_event limit 1')).rowCount !== 0) {
      if (performance.now() > deadline) throw new Error('usage was not rolled up in time');
      await sleep(500);
    }
    await client.query('checkpoint'); // or its writing would fall into the measurement
    console.log(`${requests} requests were filled in in ${Math.round((performance.now() - started) / 1000)} s`);
  });
}

async function call(url: string, key: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const body = (await response.json()) as { data?: unknown[] };
  if (body.data?.length === PER_PAGE) return;
  throw new Error(`${url} answered ${response.status}: ${JSON.stringify(body).slice(0, 300)}`);
}
