import type { AppError } from '../../platform/errors.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { RequestChanges } from '../../platform/messaging/request-changes.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { changeOf } from '../model/request-change.ts';
import type { RequestLookup } from '../store/find.ts';
import type { Settled, SettlementStore, SettleOptions } from '../store/settle.ts';
import { settledFromError } from './settled-from.ts';

export interface GiveUpDeps {
  readonly lookup: Pick<RequestLookup, 'byId'>;
  readonly settlement: SettlementStore;
}

/** Longer than another process's statement holds a wallet: it may be ending requests of the same account. */
const TOGETHER_MS = 250;

/** A request that was ended, and how. */
export interface GivenUp {
  readonly request: OcrRequest;
  readonly settled: Settled;
}

/**
 * Ends a request that will not run any more: its hold is free, and nothing is charged. Null where it has ended already, or
 * could not be ended now: the next sweep finds it again, and no other waits for its wallet.
 */
export async function giveUp(id: string, error: AppError, deps: GiveUpDeps): Promise<GivenUp | null> {
  const request = await deps.lookup.byId(id);
  return request && !request.isFinished ? end(request, error, deps, { patienceMs: 0 }) : null;
}

/** As `giveUp`, of one of many that wait: one that a process has claimed meanwhile is left to it. */
export async function giveUpQueued(id: string, error: AppError, deps: GiveUpDeps): Promise<GivenUp | null> {
  const request = await deps.lookup.byId(id);
  return request?.status === 'queued' ? end(request, error, deps, { dequeues: true, patienceMs: TOGETHER_MS }) : null;
}

async function end(
  request: OcrRequest,
  error: AppError,
  { settlement }: GiveUpDeps,
  options: SettleOptions,
): Promise<GivenUp | null> {
  const settled = settledFromError(request, error);
  const answer = await settlement.settle(request, settled, options);
  return answer === 'lost' ? null : { request, settled };
}

/** Tells of one of many that are given up; one that could not be ended is met again, and keeps no other one. */
export async function tellGivenUp(
  id: string,
  ending: Promise<GivenUp | null>,
  { changes, log }: { readonly changes: RequestChanges; readonly log: Log },
): Promise<boolean> {
  const ended = await ending.catch((failure: unknown) => {
    log.warn({ err: failure, requestId: id }, 'a request could not be given up');
    return null;
  });
  if (!ended) return false;
  const { request, settled } = ended;
  const { status, outcome } = settled;
  changes.tell(() => ({ ...changeOf(request), status, outcome, cursor: new Date().toISOString() }));
  return true;
}
