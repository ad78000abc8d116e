import { Attempt } from '../model/attempt.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { Ended, Settled } from '../store/settle.ts';

/** A run that was lost has an attempt in the books already: those of this run are numbered after it. */
export function afterLostRuns({ starts }: OcrRequest, settled: Settled): Settled {
  if (starts <= 1) return settled;
  const attempts = settled.attempts.map((attempt) =>
    Object.assign(new Attempt(), attempt, { number: attempt.number + starts - 1 }),
  );
  return { ...settled, attempts };
}

/** Brings the object that callers wait for to what the statement has just written. */
export function finish(request: OcrRequest, settled: Settled, end: Ended): void {
  const {
    charge,
    warnings,
    pageRows,
    attempts: _attempts,
    chargeKind: _kind,
    webhookUrl: _url,
    cancelled: _cancelled,
    warningUnkept = settled.warning,
    ...same
  } = settled;
  Object.assign(request, same, end, { cost: charge, notes: [...warnings] });
  request.text = settled.status === 'succeeded' ? settled.text : null;
  if (!end.textRetained) request.warning = warningUnkept;
  if (!hasPages(request, settled)) return;
  request.pageRows = pageRows.map((page) =>
    Object.assign(page, { requestId: request.id, layout: page.layout ?? null }),
  );
}

/** Whether the caller asked for the pages, and there is something to hand out. */
export function hasPages({ effective }: OcrRequest, { status }: Settled): boolean {
  return effective.include !== undefined && (status === 'succeeded' || status === 'partial');
}
