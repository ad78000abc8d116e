import type { RequestNews } from '../dispatch/news.ts';
import type { OcrRequest } from './ocr-request.ts';

/** What is told of a request that has just changed. */
export function newsOf(request: OcrRequest): RequestNews {
  const { id, accountId, engine, mode, status, outcome, finishedAt, startedAt, createdAt } = request;
  const at = finishedAt ?? (status === 'processing' ? startedAt : null) ?? createdAt;
  return { requestId: id, accountId, engine, mode, status, outcome, cursor: at.toISOString() };
}
