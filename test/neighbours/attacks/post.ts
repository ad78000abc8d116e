import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attacker } from '../attack.ts';

/** A picture of one pixel. */
export const PIXEL_INPUT = {
  type: 'base64',
  data_base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

/** One request of the attacker's, under a key of its own. A rate limit slows an attack down to what it lets through. */
export async function post({ caller }: Attacker, body: object, signal: AbortSignal): Promise<void> {
  const { status } = await caller.ocr(body, { key: randomUUID(), signal });
  if (status === 429) await sleep(1000, undefined, { signal });
}
