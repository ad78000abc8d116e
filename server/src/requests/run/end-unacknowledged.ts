import { setTimeout as sleep } from 'node:timers/promises';
import { throughOutage } from '../../database/outage.ts';
import { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { SettlementStore } from '../store/settle/settle.ts';
import { settlementFromError } from './settlement-from.ts';

/** A statement that was on its way when its connection broke has been committed by then, or never will be. */
const LATE_MS = 20_000;

export interface EndUnacknowledgedDeps {
  readonly settlements: SettlementStore;
  readonly outageLimitMs: number;
  readonly log: Log;
}

/**
 * Ends a request whose caller was told that the database is away, although its acceptance may have been committed: its hold
 * and its key become free, and no webhook is sent. A request that another process works on by now is left alone.
 */
export async function endUnacknowledged(
  request: OcrRequest,
  { settlements, outageLimitMs, log }: EndUnacknowledgedDeps,
): Promise<void> {
  const settlement = { ...settlementFromError(request, databaseIsAway()), webhookUrl: null };
  const end = () => settlements.settle(request, settlement, { unbinds: true, patienceMs: outageLimitMs });
  const patience = { limitMs: outageLimitMs }; // acceptance has logged the outage
  try {
    const answer = await throughOutage(end, patience);
    if (answer !== 'lost') return;
    await sleep(LATE_MS, undefined, { ref: false });
    await throughOutage(end, patience);
  } catch (error) {
    log.error({ err: error, requestId: request.id }, 'an unacknowledged request could not be ended');
  }
}

/** The caller's answer meanwhile: it may have been accepted, and the same key finds it then. */
export function databaseIsAway(cause?: unknown): AppError {
  return new AppError(
    'engine_unavailable',
    'The database did not answer in time. Send the request again with the same Idempotency-Key.',
    { retryAfterSeconds: 10 },
    { cause },
  );
}
