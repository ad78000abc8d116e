import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attacker } from '../attack.ts';
import { persist } from '../persist.ts';

/** A picture of one pixel. */
export const PIXEL_INPUT = {
  type: 'base64',
  data_base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

/**
 * One request of the attacker's, under a key of its own. A rate limit slows an attack down to what it lets through: throws for
 * a call that it refuses, which meets nothing else.
 */
export async function post({ caller }: Attacker, body: object | string, signal: AbortSignal): Promise<number> {
  const { status } = await caller.ocr(body, { key: randomUUID(), signal });
  if (status !== 429) return status;
  await sleep(1000, undefined, { signal });
  throw new Error('the account has no calls left of this minute');
}

export interface Barrage {
  readonly engine: string;
  readonly document: Buffer;
  /** What the gateway answers, one or the other, where the document has come as far as it should. */
  readonly answers: readonly number[];
}

/** Longer than any of them is at work on a busy machine. */
const ANSWER_MS = 120_000;

/**
 * One document, eight times side by side and over and over; one of the calls is made whole, however short the attack is.
 * Rejects where the answers show that it met nothing.
 */
export async function barrage(
  attacker: Attacker,
  { engine, document, answers }: Barrage,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify({ engine, input: { type: 'base64', data_base64: document.toString('base64') } });
  const seen = new Set<number>();
  const call = async (until: AbortSignal) => seen.add(await post(attacker, body, until));
  await Promise.all([
    call(AbortSignal.timeout(ANSWER_MS)),
    persist(signal, { width: 7, pauseMs: 100 }, () => call(signal)),
  ]);
  if (!answers.some((status) => seen.has(status)))
    throw new Error(`the attack misses what it is for: it was answered ${[...seen].join(', ')}`);
}
