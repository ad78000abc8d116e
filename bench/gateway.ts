import { compare, interleave, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { cpuMs } from './process-figures.ts';
import type { LoadReport } from './processes/load.ts';
import { show } from './show.ts';
import { openStage, type Stage, type Target } from './stage.ts';

/** A noise picture of this size is about 11 kB, its body about 15 kB. */
const PICTURE = { width: 61, height: 61 };
const REQUESTS_PER_SECOND = { unit: 'requests/s', better: 'more' } as const;
const MILLISECONDS = { unit: 'ms', better: 'less', bar: null } as const;

/** The compilers of both sides need some ten thousand requests before their figures stay. */
const WARM_UP_ROUNDS = 4;

interface Measured extends LoadReport {
  readonly cpuMsEach: number;
}

/** What the gateway itself costs, with an engine that answers at once, all requests on one account. */
export async function benchGateway(options: { rounds: number; seconds: number }): Promise<Row[]> {
  await using stage = await openStage();
  const { rounds, seconds } = options;
  const bodyFile = await writeNoiseBody(stage.folder, PICTURE);
  const post = (target: Target, clients: number) => measure(stage, target, { clients, seconds, bodyFile });
  const sides = (clients: number, times = rounds) =>
    interleave(
      times,
      () => post(stage.product, clients),
      () => post(stage.floor, clients),
    );
  for (let i = 0; i < WARM_UP_ROUNDS; i++) await sides(16, 1); // both are compiled then, as they are in service

  const sixteen = await sides(16);
  const sixtyFour = await sides(64);
  const one = await sides(1);
  const direct = await stage.load(stage.engine, { clients: 1, seconds, paths: ['/v1/chat/completions'], bodyFile });
  const rows = [
    compare({ what: '16 clients', ...REQUESTS_PER_SECOND, bar: 0.7 }, sixteen, (m) => m.perSecond),
    compare({ what: '16 clients, p50', ...MILLISECONDS }, sixteen, (m) => m.p50Ms),
    compare({ what: '16 clients, p99', ...MILLISECONDS }, sixteen, (m) => m.p99Ms),
    compare({ what: '16 clients, processor a request', ...MILLISECONDS }, sixteen, (m) => m.cpuMsEach),
    compare({ what: '64 clients', ...REQUESTS_PER_SECOND, bar: null }, sixtyFour, (m) => m.perSecond),
    compare({ what: '64 clients, p99', ...MILLISECONDS }, sixtyFour, (m) => m.p99Ms),
    compare({ what: '1 client, added p50', ...MILLISECONDS }, one, (m) => m.p50Ms - direct.p50Ms),
  ];
  show('POST /v1/ocr, 15 kB, instant engine, one account; anchor: Express, two commits, the engine’s call', rows);
  const busiest = Math.max(...sixteen.flatMap(({ ours, anchor }) => [ours.cpuShare, anchor.cpuShare]));
  console.log(`  The load process took at most ${(busiest * 100).toFixed(0)} % of a core at 16 clients.`);
  return rows;
}

async function measure(
  stage: Stage,
  target: Target,
  order: { clients: number; seconds: number; bodyFile: string },
): Promise<Measured> {
  const before = cpuMs(target.pid);
  const report = await stage.load(target, { ...order, paths: ['/v1/ocr'] });
  return { ...report, cpuMsEach: (cpuMs(target.pid) - before) / report.answers };
}
