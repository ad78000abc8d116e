import type { RequestChange } from '../../platform/messaging/request-changes.ts';
import type { OcrRequest } from './ocr-request.ts';

/** The event of a request that has just changed. */
export function changeOf(request: OcrRequest): RequestChange {
  const { id, accountId, engine, mode, status, outcome, finishedAt, startedAt, createdAt } = request;
  const at = finishedAt ?? (status === 'processing' ? startedAt : null) ?? createdAt;
  return { requestId: id, accountId, engine, mode, status, outcome, cursor: at.toISOString() };
}
