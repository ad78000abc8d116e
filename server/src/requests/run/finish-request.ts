import { Attempt } from '../model/attempt.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { isRead } from '../model/states.ts';
import type { Settlement, StoredEnd } from '../store/settle/settlement.ts';

/** The settlement with its attempts numbered after those of earlier runs, which the sweeper has recorded as lost. */
export function afterLostRuns({ starts }: OcrRequest, settlement: Settlement): Settlement {
  if (starts <= 1) return settlement;
  const attempts = settlement.attempts.map((attempt) =>
    Object.assign(new Attempt(), attempt, { number: attempt.number + starts - 1 }),
  );
  return { ...settlement, attempts };
}

/** Copies what the settlement has just written into the request, which is the object that waiting callers get. */
export function finishRequest(request: OcrRequest, settlement: Settlement, end: StoredEnd): void {
  const {
    charge,
    warnings,
    pageRows,
    attempts: _attempts,
    chargeKind: _kind,
    webhookUrl: _url,
    cancelled: _cancelled,
    warningWithoutText = settlement.warning,
    ...same
  } = settlement;
  Object.assign(request, same, end, { cost: charge, notes: [...warnings] });
  request.text = settlement.status === 'succeeded' ? settlement.text : null;
  if (!end.textRetained) request.warning = warningWithoutText;
  if (!hasPages(request, settlement)) return;
  request.pageRows = pageRows.map((page) =>
    Object.assign(page, { requestId: request.id, layout: page.layout ?? null }),
  );
}

/** Whether the caller asked for the pages, and the result has some. */
export function hasPages({ effective }: OcrRequest, { status }: Settlement): boolean {
  return effective.include !== undefined && isRead(status);
}
