import type { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { RequestChanges } from '../../platform/messaging/request-changes.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { changeOf } from '../model/request-change.ts';
import type { RequestLookup } from '../store/find.ts';
import type { SettlementStore, SettleOptions } from '../store/settle/settle.ts';
import type { Settlement } from '../store/settle/settlement.ts';
import { settlementFromError } from './settlement-from.ts';

export interface GiveUpDeps {
  readonly lookup: Pick<RequestLookup, 'byId'>;
  readonly settlements: SettlementStore;
}

/** Longer than another process's statement holds a wallet: that process may be ending requests of the same account. */
const WALLET_WAIT_MS = 250;

/** A request that was ended, and how. */
export interface GivenUp {
  readonly request: OcrRequest;
  readonly settlement: Settlement;
}

/**
 * Ends a request that will not run any more: its hold is free, and nothing is charged. Null where it has ended already, or
 * belongs to another process. Does not wait for a locked wallet: it throws then, and the next sweep tries again.
 */
export async function giveUp(id: string, error: AppError, deps: GiveUpDeps): Promise<GivenUp | null> {
  const request = await deps.lookup.byId(id);
  return request && !request.isFinished ? end(request, error, deps, { patienceMs: 0 }) : null;
}

/** Does the same to a queued request. One that a process has claimed meanwhile is left to it. */
export async function giveUpQueued(id: string, error: AppError, deps: GiveUpDeps): Promise<GivenUp | null> {
  const request = await deps.lookup.byId(id);
  return request?.status === 'queued'
    ? end(request, error, deps, { dequeues: true, patienceMs: WALLET_WAIT_MS })
    : null;
}

async function end(
  request: OcrRequest,
  error: AppError,
  { settlements }: GiveUpDeps,
  options: SettleOptions,
): Promise<GivenUp | null> {
  const settlement = settlementFromError(request, error);
  const answer = await settlements.settle(request, settlement, options);
  return answer === 'lost' ? null : { request, settlement };
}

/**
 * Waits until a request is given up, and sends its event; answers whether it has ended. A failure is logged and not thrown, so
 * that a sweep goes on with the other requests; the next sweep meets this one again.
 */
export async function reportGivenUp(
  id: string,
  givingUp: Promise<GivenUp | null>,
  { changes, log }: { readonly changes: RequestChanges; readonly log: Log },
): Promise<boolean> {
  const ended = await givingUp.catch((failure: unknown) => {
    log.warn({ err: failure, requestId: id }, 'a request could not be given up');
    return null;
  });
  if (!ended) return false;
  const { request, settlement } = ended;
  const { status, outcome } = settlement;
  changes.publish(() => ({ ...changeOf(request), status, outcome, cursor: new Date().toISOString() }));
  return true;
}
