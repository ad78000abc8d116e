import { compare, interleave, type Row } from './measure.ts';
import { show } from './show.ts';
import { openStage, type Target } from './stage.ts';

const CLIENTS = 16;
const RESULTS = 400;
/** The smallest picture there is. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

/** Reading the catalogue and finished requests against bare Express with JSON (and one indexed SELECT). */
export async function benchReads(options: { rounds: number; seconds: number }): Promise<Row[]> {
  await using stage = await openStage();
  const { rounds, seconds } = options;
  const [ours, theirs] = [await makeResults(stage.product), await makeResults(stage.floor)];
  const get =
    (target: Target, paths: readonly string[], clients = CLIENTS) =>
    () =>
      stage.load(target, { clients, seconds, paths, bodyFile: null });
  const engines = ['/v1/engines'];
  await Promise.all([get(stage.product, [...ours, ...engines])(), get(stage.floor, [...theirs, ...engines])()]); // warm

  const catalogue = await interleave(rounds, get(stage.product, engines), get(stage.floor, engines));
  const byId = await interleave(rounds, get(stage.product, ours), get(stage.floor, theirs));
  const alone = await interleave(rounds, get(stage.product, ours, 1), get(stage.floor, theirs, 1));
  const subject = { unit: 'requests/s', better: 'more' } as const;
  const rows = [
    compare({ what: 'GET /v1/engines', ...subject, bar: 0.8 }, catalogue, (report) => report.perSecond),
    compare({ what: 'GET /v1/ocr/{request_id}', ...subject, bar: 0.9 }, byId, (report) => report.perSecond),
    compare({ what: 'GET /v1/ocr/{request_id}, 1 client', ...subject, bar: 0.6 }, alone, (report) => report.perSecond),
  ];
  show(`Reads, ${CLIENTS} clients; anchor: Express with JSON, by id with one indexed SELECT`, rows);
  const busiest = Math.max(...[...catalogue, ...byId].flatMap((pair) => [pair.ours.cpuShare, pair.anchor.cpuShare]));
  console.log(`  The load process took at most ${(busiest * 100).toFixed(0)} % of a core.`);
  return rows;
}

/** Paths of finished requests. */
async function makeResults({ port, key }: Target): Promise<string[]> {
  const paths: string[] = [];
  for (let n = 0; n < RESULTS; n++) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/ocr`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `read-${n}`,
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ engine: 'instant', input: { type: 'base64', data_base64: PICTURE } }),
    });
    const body = (await response.json()) as { request_id: string }; // both sides answer with it
    if (response.status !== 200) throw new Error(`no result to read: ${JSON.stringify(body)}`);
    paths.push(`/v1/ocr/${body.request_id}`);
  }
  return paths;
}
