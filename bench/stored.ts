import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../server/dist/database/pool.js';
import { makeLog } from '../server/dist/platform/logging/log.js';
import { forgetExpired } from '../server/dist/requests/store/forget-expired.js';
import { divideRequests } from '../server/src/database/months/months.job.ts';
import { DIVIDED, monthAhead, partName } from '../test/house/month-parts.ts';
import { withClient } from '../test/house/with-client.ts';
import { compare, interleave, type Pair, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { show } from './show.ts';
import { openGround } from './stage.ts';
import { ACCOUNTS } from './stored/fill-stored.ts';
import { openStoredSide, type StoredSide } from './stored/stored-side.ts';

const FEW = 20_000;
const CLIENTS = 16;
/** Pairs of processes of the service, and how often each does everything before it is measured. */
const PROCESSES = 7;
const WARM_UPS = 2;
/** Where a percentile is what matters, the machine is not to be full. */
const CALM_CLIENTS = 4;
const PICTURE = { width: 61, height: 61 };
const MOST_MORE = 1.15;
const BESIDE = 1.5;
const OLDER_THAN_DAYS = 30;

const LIST = '{ requests(first: 50) { nodes { id status cost createdAt } } }';
const FAILED = '{ requests(first: 50, filter: {status: ["failed"]}) { nodes { id status cost createdAt } } }';

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  /** Stored requests of the large side. */
  readonly rows: number;
  /** Where what is stored stays after the run. */
  readonly dataDir?: string | undefined;
}

/** What requests and looks cost with many stored requests (ours) beside few (anchor), and what the care for them costs. */
export async function benchStored({ rounds, seconds, rows: many, dataDir }: Options): Promise<Row[]> {
  await using ground = await openGround({ dataDir });
  const stays = dataDir !== undefined;
  await using few = await openStoredSide(ground, { name: 'few', requests: FEW, stays });
  await using large = await openStoredSide(ground, { name: `stored_${many}`, requests: many, stays });
  const rows: Row[] = [];
  const note = (what: string, pairs: readonly Pair<number>[]) =>
    rows.push(compare({ what, unit: 'ms', better: 'less', bar: MOST_MORE }, pairs, (ms) => ms));
  const compared = async (what: string, measure: (side: StoredSide) => Promise<number>) => {
    for (const warm of [few, large]) await measure(warm);
    const pairs = await interleave(
      rounds,
      () => measure(large),
      () => measure(few),
    );
    note(what, pairs);
  };
  const short = seconds / 4;
  await compared('a claim of 4', (side) => side.claimMs(short));
  for (const side of [few, large]) await side.start();
  const bodyFile = await writeNoiseBody(ground.folder, PICTURE);
  const post = async (side: StoredSide) =>
    CLIENTS_MS / (await side.post({ clients: CLIENTS, seconds, bodyFile })).perSecond;
  const get = async (side: StoredSide) => CLIENTS_MS / (await side.getResults({ clients: CLIENTS, seconds })).perSecond;
  const calls = await ofProcesses([few, large], PROCESSES, [post, get]);
  note(`POST /v1/ocr, ${CLIENTS} clients, mean`, calls[0] ?? []);
  note(`GET /v1/ocr/{request_id}, ${CLIENTS} clients, mean`, calls[1] ?? []);
  await compared('GET /api/usage', (side) => side.usageMs(short));
  await compared('the list of requests', (side) => side.askMs(LIST, short));
  await compared('the list of failed ones', (side) => side.askMs(FAILED, short));
  await compared('GET /v1/engines/{id}/stats', (side) => side.callMs('/v1/engines/instant/stats', short));
  await compared('GET …/latency?hours=720', (side) => side.callMs('/v1/engines/instant/latency?hours=720', short));
  await compared('a proof of what came since', async (side) => {
    await side.post({ clients: 1, seconds: 0.5, bodyFile });
    return side.proofMs();
  });
  show(`${many} stored requests (ours) and ${FEW} (anchor)`, rows);
  const care = await benchCare(large, { rounds, seconds, bodyFile });
  return [...rows, ...care];
}

type Measure = (side: StoredSide) => Promise<number>;

/**
 * Of pairs of processes, each new and warmed: two that do the same differ by a tenth and more for as long as they live, which
 * rounds within one pair do not show.
 */
async function ofProcesses(
  [few, large]: readonly [StoredSide, StoredSide],
  pairs: number,
  measures: readonly Measure[],
): Promise<Pair<number>[][]> {
  const found: Pair<number>[][] = measures.map(() => []);
  for (let pair = 0; pair < pairs; pair++) {
    const sides = pair % 2 === 0 ? [few, large] : [large, few];
    for (const side of sides) await side.restart();
    for (let round = 0; round < WARM_UPS; round++) {
      for (const side of sides) for (const measure of measures) await measure(side);
    }
    for (const [i, measure] of measures.entries()) {
      const taken = new Map<StoredSide, number>();
      for (const side of sides) taken.set(side, await measure(side));
      found[i]?.push({ ours: taken.get(large) ?? Number.NaN, anchor: taken.get(few) ?? Number.NaN });
    }
  }
  return found;
}

/** Milliseconds of all clients in a second. */
const CLIENTS_MS = CLIENTS * 1000;

/** Posts beside what is done about stored requests, and without it. */
async function benchCare(
  side: StoredSide,
  { rounds, seconds, bodyFile }: { rounds: number; seconds: number; bodyFile: string },
): Promise<Row[]> {
  const post = async () => (await side.post({ clients: CALM_CLIENTS, seconds, bodyFile })).p99Ms;
  await post();
  const subject = { unit: 'ms', better: 'less', bar: BESIDE } as const;
  const months = await interleave(
    rounds,
    async () => {
      await unmakeMonths(side.url);
      const made = sleep((1000 * seconds) / 3).then(() => divideRequests(side.url));
      const [p99Ms] = await Promise.all([post(), made]);
      return p99Ms;
    },
    post,
  );
  const expired = new ExpiredTexts(side.url);
  const deleting = await interleave(rounds, () => expired.deleteDuring(post), post);
  await expired[Symbol.asyncDispose]();
  const rows = [
    compare({ what: 'three months are made for each table', ...subject }, months, (ms) => ms),
    compare({ what: `${expired.deleted} expired texts are deleted`, ...subject }, deleting, (ms) => ms),
  ];
  show(`POST p99 meanwhile (ours) and quiet (anchor), ${CALM_CLIENTS} clients`, rows);
  return rows;
}

/** Takes the months to come away, which are empty. */
async function unmakeMonths(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (const table of DIVIDED) {
      for (const ahead of [3, 2, 1]) await client.query(`drop table ${partName(table, monthAhead(ahead))}`);
    }
  });
}

/** Deletes the old texts of one account after the other, as the service does every hour. */
class ExpiredTexts implements AsyncDisposable {
  readonly #pool;
  #next = 0;
  deleted = 0;

  constructor(url: string) {
    this.#pool = openPool(url, { max: 1, log: makeLog('silent') });
  }

  async deleteDuring<T>(work: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const deleting = this.#delete(over.signal);
    try {
      return await work();
    } finally {
      over.abort();
      await deleting;
    }
  }

  async #delete(stop: AbortSignal): Promise<void> {
    while (!stop.aborted && this.#next < ACCOUNTS) {
      const id = `00000000-0000-4000-9000-${this.#next.toString(16).padStart(12, '0')}`;
      this.#next += 1;
      this.deleted += await forgetExpired(this.#pool, { id, days: OLDER_THAN_DAYS }, stop);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.end();
  }
}
