import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { interleaved, type Row, show } from './measure.ts';
import { openStage } from './stage.ts';

const PATH = ['/v1/ocr'];
/** A picture of noise of this side is about 11 kB, its body about 15 kB. */
const SIDE = 61;

/** What the gateway itself costs, with an engine that answers at once, all requests on one account. */
export async function benchGateway(options: { rounds: number; seconds: number }): Promise<Row[]> {
  await using stage = await openStage(options);
  const bodyFile = join(stage.folder, 'body.json');
  writeFileSync(bodyFile, await pictureBody());
  const post = (port: number, clients: number, key: string | null) =>
    stage.load({ port, clients, key, paths: PATH, bodyFile });
  const ours = (clients: number) => post(stage.productPort, clients, stage.key);
  const floor = (clients: number) => post(stage.floorPort, clients, null);
  await Promise.all([ours(4), floor(4)]); // warm both
  const rows: Row[] = [];
  for (const [clients, bar] of [
    [16, 0.7],
    [64, null],
  ] as const) {
    const result = await interleaved(
      options.rounds,
      async () => (await ours(clients)).perSecond,
      async () => (await floor(clients)).perSecond,
    );
    rows.push({ what: `POST 15 kB, ${clients} clients`, ...result, unit: 'requests/s', better: 'more', bar });
  }
  const one = await interleaved(
    options.rounds,
    async () => (await ours(1)).p50Ms,
    async () => (await floor(1)).p50Ms,
  );
  rows.push({ what: 'POST 15 kB, 1 client, p50', ...one, unit: 'ms', better: 'less', bar: null });
  show('The gateway’s own cost against the floor (Express, two commits, the engine’s call)', rows);
  return rows;
}

async function pictureBody(): Promise<string> {
  const noise = randomBytes(SIDE * SIDE * 3);
  const png = await sharp(noise, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png()
    .toBuffer();
  return JSON.stringify({ engine: 'instant', input: { type: 'base64', data_base64: png.toString('base64') } });
}
