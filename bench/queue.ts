import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startProduct } from '../test/house/product.ts';
import { HeldQueue, type QueueSize } from './held-queue.ts';
import { compare, interleave, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { openQueueDatabase, type QueueDatabase } from './queue-database.ts';
import { show } from './show.ts';
import { instantEngine, openGround } from './stage.ts';

const LONG: QueueSize = { requests: 10_000, accounts: 5000 };
const SHORT: QueueSize = { requests: 100, accounts: 50 };
/** So many that hardly one of them is claimed twice under the old snapshot. */
const MIDDLE: QueueSize = { requests: 4000, accounts: 400 };
const MANY: QueueSize = { requests: 10_000, accounts: 2000 };
const FEW: QueueSize = { requests: 400, accounts: 400 };
const CLAIMERS = 8;
const PLACES = 4;
const ENGINE_MS = 50;
const ENDED = 100_000;
/** Endings that are timed, and those before them, while the product warms up. */
const TIMED = 250;
const FIRST = 40;
/** A look reads the whole table, which must not weigh on what is timed. */
const LOOK_MS = 500;
const PICTURE = { width: 61, height: 61 };

/** What a full queue costs, against a short one, and what an old snapshot elsewhere does to it. */
export async function benchQueue(options: { rounds: number; seconds: number }): Promise<Row[]> {
  const rows = [...(await claims(options)), ...(await drains(options))];
  show('A full queue, against a short one', rows);
  const aged = await oldSnapshot(options);
  show(`While a snapshot is open that is older than ${ENDED} ended requests, against a database without one`, aged);
  return [...rows, ...aged];
}

async function claims({ rounds, seconds }: { rounds: number; seconds: number }): Promise<Row[]> {
  await using ground = await openGround();
  await using long = await openQueueDatabase(ground.databaseUrl, 'long_queue');
  await using short = await openQueueDatabase(ground.databaseUrl, 'short_queue');
  await long.fill(LONG);
  await short.fill(SHORT);
  const rows: Row[] = [];
  for (const claimers of [1, CLAIMERS]) {
    const measure = (database: QueueDatabase) => () =>
      database.claimMs({ claimers, places: PLACES, seconds: seconds / 4 });
    for (const warm of [measure(long), measure(short)]) await warm();
    const pairs = await interleave(rounds, measure(long), measure(short));
    const what =
      claimers === 1 ? 'one claim, 10,000 of 5,000 accounts : 100' : `the same, ${claimers} claiming side by side`;
    rows.push(compare({ what, unit: 'ms', better: 'less', bar: 1.5 }, pairs, (ms) => ms));
  }
  return rows;
}

async function drains({ rounds }: { rounds: number }): Promise<Row[]> {
  const pairs = await interleave(
    rounds,
    () => endedPerSecond(MANY),
    () => endedPerSecond(FEW),
  );
  const subject = {
    what: 'requests ended, 10,000 of 2,000 accounts : 400 of 400',
    unit: '1/s',
    better: 'more',
    bar: 0.9,
  } as const;
  return [compare(subject, pairs, (perSecond) => perSecond)];
}

/** How many requests a product ends in a second, of a queue that is there when it starts. */
async function endedPerSecond(size: QueueSize): Promise<number> {
  await using ground = await openGround({ engineMs: ENGINE_MS });
  await using database = await openQueueDatabase(ground.databaseUrl, 'draining');
  const body = JSON.parse(await readFile(await writeNoiseBody(ground.folder, PICTURE), 'utf8'));
  await database.fill(size, Buffer.from(body.input.data_base64, 'base64'));
  const engines = [{ ...instantEngine(ground.engineUrl), concurrency: PLACES }];
  await using _product = await startProduct({ databaseUrl: database.url, engines });
  for (;;) {
    const ended = await database.ended();
    const [from, to] = [ended[FIRST], ended[FIRST + TIMED]];
    if (from !== undefined && to !== undefined) return TIMED / ((to - from) / 1000);
    await sleep(LOOK_MS);
  }
}

async function oldSnapshot({ rounds, seconds }: { rounds: number; seconds: number }): Promise<Row[]> {
  await using ground = await openGround();
  await using aged = await openQueueDatabase(ground.databaseUrl, 'aged');
  await using clean = await openQueueDatabase(ground.databaseUrl, 'clean');
  for (const database of [aged, clean]) await database.fill(MIDDLE);
  const snapshot = new Client({ connectionString: aged.url });
  await snapshot.connect();
  await snapshot.query('begin isolation level repeatable read');
  await snapshot.query('select count(*) from ocr_request');
  await new HeldQueue(aged).pass(ENDED);
  const rows: Row[] = [];
  const compared = async (what: string, bar: number | null, measure: (database: QueueDatabase) => Promise<number>) => {
    for (const warm of [aged, clean]) await measure(warm);
    const pairs = await interleave(
      rounds,
      () => measure(aged),
      () => measure(clean),
    );
    rows.push(compare({ what, unit: 'ms', better: 'less', bar }, pairs, (ms) => ms));
  };
  await compared('one claim', 1.5, (database) =>
    database.claimMs({ claimers: 1, places: PLACES, seconds: seconds / 4 }),
  );
  await compared('one sweep', 1.5, (database) => database.sweepMs());
  await compared('the look at everything (at most a twentieth of the time)', null, (database) =>
    database.wholeLookMs(),
  );
  await snapshot.end();
  return rows;
}
