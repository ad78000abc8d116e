import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { median, type Row, show } from './measure.ts';
import { openStage } from './stage.ts';

const BODIES = 30;
/** A picture of noise of this size is about 7.1 MB, its body about 9.5 MB. */
const WIDTH = 1700;
const HEIGHT = 1392;
const SAMPLE_MS = 20;

/** Peak memory with 30 large bodies at once, above idle, against an Express JSON parser that calls an engine. */
export async function benchMemory(options: { rounds: number }): Promise<Row[]> {
  const noise = randomBytes(WIDTH * HEIGHT * 3);
  const png = await sharp(noise, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  const body = JSON.stringify({ engine: 'instant', input: { type: 'base64', data_base64: png.toString('base64') } });
  const ours: number[] = [];
  const anchor: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    await using stage = await openStage({ seconds: 1 });
    const product = `http://127.0.0.1:${stage.productPort}/v1/ocr`;
    anchor.push(await peakMb(stage.floorPid, `http://127.0.0.1:${stage.floorPort}/parse`, body, null));
    ours.push(await peakMb(stage.productPid, product, body, stage.key));
  }
  const row = { ours: median(ours), anchor: median(anchor), unit: 'MB above idle', better: 'less', bar: 0.6 } as const;
  const rows: Row[] = [{ what: `${BODIES} bodies of ${(body.length / 1e6).toFixed(1)} MB at once`, ...row }];
  show('Memory against an Express JSON parser with an engine call', rows);
  return rows;
}

async function peakMb(pid: number, url: string, body: string, key: string | null): Promise<number> {
  const idle = residentMb(pid);
  let peak = idle;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentMb(pid));
  }, SAMPLE_MS);
  try {
    await Promise.all(Array.from({ length: BODIES }, (_, n) => send(url, body, key, n)));
    return Math.max(peak, residentMb(pid)) - idle;
  } finally {
    clearInterval(sampling);
  }
}

async function send(url: string, body: string, key: string | null, n: number): Promise<void> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': `memory-${n}` };
  const response = await fetch(url, {
    method: 'POST',
    headers: key ? { ...headers, authorization: `Bearer ${key}` } : headers,
    body,
  });
  const text = await response.text();
  if (response.status !== 200)
    throw new Error(`a large body was answered with ${response.status}: ${text.slice(0, 300)}`);
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
