import { resolve } from 'node:path';
import { compare, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { MILLISECONDS, REQUESTS_PER_SECOND, SMALL, sendToBoth, WARM_UP_ROUNDS } from './sending.ts';
import { show } from './show.ts';
import { openStage } from './stage.ts';

/** What this checkout takes, beside another one (`project`, which is built): whether a change has made it slower. */
export async function benchBefore(options: { rounds: number; seconds: number; project: string }): Promise<Row[]> {
  await using ours = await openStage();
  await using before = await openStage({ project: resolve(options.project) });
  const { rounds, seconds } = options;
  const sides = { ours: { stage: ours, target: ours.product }, anchor: { stage: before, target: before.product } };
  const order = { clients: 16, seconds, bodyFile: await writeNoiseBody(ours.folder, SMALL) };
  await sendToBoth(sides, WARM_UP_ROUNDS, order);
  const sixteen = await sendToBoth(sides, rounds, order);
  const one = await sendToBoth(sides, rounds, { ...order, clients: 1 });
  const rows = [
    compare({ what: '16 clients', ...REQUESTS_PER_SECOND, bar: 0.97 }, sixteen, (m) => m.perSecond),
    compare({ what: '16 clients, processor a request', ...MILLISECONDS }, sixteen, (m) => m.cpuMsEach),
    compare({ what: '1 client, p50', ...MILLISECONDS }, one, (m) => m.p50Ms),
    compare({ what: '1 client, processor a request', ...MILLISECONDS }, one, (m) => m.cpuMsEach),
  ];
  show('POST /v1/ocr, 15 kB, instant engine, one account; anchor: the product of another checkout', rows);
  return rows;
}
