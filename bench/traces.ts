import { freePorts } from '../test/house/free-ports.ts';
import { startChild } from './child.ts';
import { compare, type Row } from './measure.ts';
import { writeNoiseBody } from './noise-body.ts';
import { MILLISECONDS, REQUESTS_PER_SECOND, SMALL, sendToBoth, WARM_UP_ROUNDS } from './sending.ts';
import { show } from './show.ts';
import { openStage } from './stage.ts';

/** What it costs to trace every call: the product with a collector beside the product without one. */
export async function benchTraces({ rounds, seconds }: { rounds: number; seconds: number }): Promise<Row[]> {
  const [port = 0] = await freePorts(1);
  await using _collector = await startChild('bench/processes/collector.ts', String(port));
  await using traced = await openStage({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
  await using untraced = await openStage();
  const sides = {
    ours: { stage: traced, target: traced.product },
    anchor: { stage: untraced, target: untraced.product },
  };
  const order = { clients: 16, seconds, bodyFile: await writeNoiseBody(traced.folder, SMALL) };
  await sendToBoth(sides, WARM_UP_ROUNDS, order);
  const sixteen = await sendToBoth(sides, rounds, order);
  const rows = [
    compare({ what: '16 clients', ...REQUESTS_PER_SECOND, bar: 0.95 }, sixteen, (m) => m.perSecond),
    compare({ what: '16 clients, processor a request', ...MILLISECONDS, bar: 1.05 }, sixteen, (m) => m.cpuMsEach),
    compare({ what: '16 clients, p99', ...MILLISECONDS }, sixteen, (m) => m.p99Ms),
  ];
  show('POST /v1/ocr, 15 kB, instant engine, every call traced; anchor: no collector', rows);
  return rows;
}
