import type { AppError } from '../../platform/errors.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { RequestLookup } from '../store/find.ts';
import type { Settled, SettlementStore } from '../store/settle.ts';
import { settledFromError } from './settled-from.ts';

export interface GiveUpDeps {
  readonly lookup: RequestLookup;
  readonly settlement: SettlementStore;
}

/** A request that was ended, and how. */
export interface GivenUp {
  readonly request: OcrRequest;
  readonly settled: Settled;
}

/**
 * Ends a request that will not run any more: its hold is free, and nothing is charged. Null where it has ended already, or
 * could not be ended now: the next sweep finds it again, and no other waits for its wallet.
 */
export async function giveUp(id: string, error: AppError, { lookup, settlement }: GiveUpDeps): Promise<GivenUp | null> {
  const request = await lookup.byId(id);
  if (!request || request.isFinished) return null;
  const settled = settledFromError(request, error);
  const answer = await settlement.settle(request, settled, { patienceMs: 0 });
  return answer === 'lost' ? null : { request, settled };
}
