import type { Caller } from '../../accounts/callers/caller.ts';
import { DAY_MS } from '../../platform/numbers/times.ts';
import type { OcrRequest } from './ocr-request.ts';

/** Until when what a request read is kept, for its account; null where it is kept for ever, or not at all. */
export function retainedUntil(
  { accountId, textRetained, finishedAt }: Pick<OcrRequest, 'accountId' | 'textRetained' | 'finishedAt'>,
  caller: Caller | null,
): Date | null {
  return textRetained ? endOfRetention({ accountId, finishedAt }, caller) : null;
}

/** Whether the account keeps results, and the days for which it does are over. */
export function isPastRetention(request: Pick<OcrRequest, 'accountId' | 'finishedAt'>, caller: Caller): boolean {
  const end = endOfRetention(request, caller);
  return caller.history && end !== null && end.getTime() <= Date.now();
}

function endOfRetention(
  { accountId, finishedAt }: Pick<OcrRequest, 'accountId' | 'finishedAt'>,
  caller: Caller | null,
): Date | null {
  const days = caller?.accountId === accountId ? caller.textDays : null;
  return days != null && finishedAt ? new Date(finishedAt.getTime() + days * DAY_MS) : null;
}
