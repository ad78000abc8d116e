import type { Caller } from '../../accounts/callers/caller.ts';
import { newId } from '../../platform/ids.ts';
import { openTraceparent } from '../../platform/tracing/spans.ts';
import type { Understood } from '../model/input/understand.ts';
import { OcrRequest } from '../model/ocr-request.ts';

/** What a request has from the look at its key and its document. */
type Found = Pick<OcrRequest, 'idempotencyKey' | 'fingerprint' | 'pagesTotal' | 'prices'>;

/** The request that a caller wants to have accepted. */
export function draftRequest(caller: Caller, understood: Understood, found: Found): OcrRequest {
  const { engine, effective, warnings, store } = understood;
  return Object.assign(new OcrRequest(), found, {
    id: newId('ocr_'),
    accountId: caller.accountId,
    keyId: caller.keyId,
    requestedEngine: engine.id,
    engine: engine.id,
    mode: effective.mode,
    effective,
    notes: [...warnings],
    discard: !store,
    trace: openTraceparent(),
  });
}
