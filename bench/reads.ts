import { interleaved, type Row, show } from './measure.ts';
import { openStage } from './stage.ts';

const CLIENTS = 16;
const RESULTS = 200;
/** The smallest picture there is. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

/** Reading the catalogue and finished requests against bare Express with JSON (and one indexed SELECT). */
export async function benchReads(options: { rounds: number; seconds: number }): Promise<Row[]> {
  await using stage = await openStage(options);
  const ours = await makeResults(`http://127.0.0.1:${stage.productPort}`, stage.key);
  const theirs = await makeResults(`http://127.0.0.1:${stage.floorPort}`, null);
  const get = (port: number, paths: readonly string[], key: string | null) => async () =>
    (await stage.load({ port, clients: CLIENTS, key, paths, bodyFile: null })).perSecond;
  const engines = ['/v1/engines'];
  await Promise.all([get(stage.productPort, ours, stage.key)(), get(stage.floorPort, theirs, null)()]); // warm both
  const catalogue = await interleaved(
    options.rounds,
    get(stage.productPort, engines, null),
    get(stage.floorPort, engines, null),
  );
  const byId = await interleaved(
    options.rounds,
    get(stage.productPort, ours, stage.key),
    get(stage.floorPort, theirs, null),
  );
  const rows: Row[] = [
    { what: 'GET /v1/engines', ...catalogue, unit: 'requests/s', better: 'more', bar: 0.8 },
    { what: 'GET /v1/ocr/{request_id}', ...byId, unit: 'requests/s', better: 'more', bar: 0.8 },
  ];
  show('Reads against bare Express with JSON', rows);
  return rows;
}

/** Paths of finished requests. */
async function makeResults(base: string, key: string | null): Promise<string[]> {
  const paths: string[] = [];
  for (let n = 0; n < RESULTS; n++) {
    const response = await fetch(`${base}/v1/ocr`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': `read-${n}`,
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ engine: 'instant', input: { type: 'base64', data_base64: PICTURE } }),
    });
    const body = (await response.json()) as { request_id: string }; // both sides answer with it
    if (response.status !== 200) throw new Error(`making results: ${JSON.stringify(body)}`);
    paths.push(`/v1/ocr/${body.request_id}`);
  }
  return paths;
}
