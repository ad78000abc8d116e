import { compare, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import {
  type Measured,
  MILLISECONDS,
  REQUESTS_PER_SECOND,
  type Sides,
  SMALL,
  sendToBoth,
  WARM_UP_ROUNDS,
} from './sending.ts';
import { show } from './show.ts';
import { openStage, type Stage } from './stage.ts';

/** About 150 kB, its body about 200 kB. */
const LARGE = { width: 224, height: 224 };
/** How long the engine of the third part takes, and what the gateway may add to it. */
const ENGINE_MS = 50;
const ADDED_LIMIT_MS = 5;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
}

/** What the gateway itself costs, with an engine that answers at once and with one of 50 ms, all requests on one account. */
export async function benchGateway(options: Options): Promise<Row[]> {
  return [...(await withInstantEngine(options)), ...(await withSlowEngine(options))];
}

async function withInstantEngine({ rounds, seconds }: Options): Promise<Row[]> {
  await using stage = await openStage();
  const small = await writeNoiseBody(stage.folder, SMALL, 'small.json');
  const large = await writeNoiseBody(stage.folder, LARGE, 'large.json');
  const sent = (clients: number, bodyFile: string, times = rounds) =>
    sendToBoth(sidesOf(stage), times, { clients, seconds, bodyFile });
  await sent(16, small, WARM_UP_ROUNDS); // both are compiled then, as they are in service

  const sixteen = await sent(16, small);
  const sixtyFour = await sent(64, small);
  const one = await sent(1, small);
  const largeOnes = await sent(16, large);
  const rows = [
    compare({ what: '16 clients', ...REQUESTS_PER_SECOND, bar: 0.8 }, sixteen, (m) => m.perSecond),
    compare({ what: '16 clients, p50', ...MILLISECONDS }, sixteen, (m) => m.p50Ms),
    compare({ what: '16 clients, p99', ...MILLISECONDS }, sixteen, (m) => m.p99Ms),
    compare({ what: '16 clients, processor a request', ...MILLISECONDS, bar: 1.3 }, sixteen, (m) => m.cpuMsEach),
    compare({ what: '64 clients', ...REQUESTS_PER_SECOND, bar: 1 }, sixtyFour, (m) => m.perSecond),
    compare({ what: '64 clients, p99', ...MILLISECONDS }, sixtyFour, (m) => m.p99Ms),
    compare({ what: '1 client, p50', ...MILLISECONDS, bar: 1.6 }, one, (m) => m.p50Ms),
    compare({ what: '1 client, processor a request', ...MILLISECONDS }, one, (m) => m.cpuMsEach),
    compare({ what: '200 kB, 16 clients', ...REQUESTS_PER_SECOND, bar: 0.9 }, largeOnes, (m) => m.perSecond),
  ];
  show('POST /v1/ocr, 15 kB, instant engine, one account; anchor: Express, two commits, the engine’s call', rows);
  const busiest = Math.max(...sixteen.flatMap(({ ours, anchor }) => [ours.cpuShare, anchor.cpuShare]));
  console.log(`  The load process took at most ${(busiest * 100).toFixed(0)} % of a core at 16 clients.`);
  return rows;
}

async function withSlowEngine({ rounds, seconds }: Options): Promise<Row[]> {
  await using stage = await openStage({ engineMs: ENGINE_MS });
  const bodyFile = await writeNoiseBody(stage.folder, SMALL);
  const order = { clients: 16, seconds, bodyFile };
  await sendToBoth(sidesOf(stage), WARM_UP_ROUNDS, order);
  const pairs = await sendToBoth(sidesOf(stage), rounds, order);
  const added = (measured: Measured) => measured.p50Ms - ENGINE_MS;
  const limited = pairs.map(({ ours }) => ({ ours: added(ours), anchor: ADDED_LIMIT_MS }));
  const rows = [
    compare({ what: 'added p50', ...MILLISECONDS }, pairs, added),
    compare({ what: 'added p50 : limit', ...MILLISECONDS, bar: 1 }, limited, (ms) => ms),
  ];
  show(`POST /v1/ocr, 15 kB, engine of ${ENGINE_MS} ms, 16 clients; anchor: the same`, rows);
  return rows;
}

/** The product, beside the least that an honest gateway can do. */
function sidesOf(stage: Stage): Sides {
  return { ours: { stage, target: stage.product }, anchor: { stage, target: stage.floor } };
}
