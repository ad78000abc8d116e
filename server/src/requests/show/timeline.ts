import { toUsd } from '../../platform/money.ts';
import type { Delivery } from '../../webhooks/delivery.ts';
import type { Attempt } from '../model/attempt.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { TimelineEvent, TimelineKind } from './timeline.type.ts';

/** At one instant the earlier step of a request's life comes first. */
const ORDER: readonly TimelineKind[] = [
  'accepted',
  'held',
  'started',
  'document',
  'rendered',
  'attempt',
  'settled',
  'delivery_failed',
  'delivered',
];

type Told = Pick<
  OcrRequest,
  'createdAt' | 'startedAt' | 'finishedAt' | 'status' | 'hold' | 'documentMs' | 'renderMs' | 'pagesTotal'
>;

/** What happened to a request, oldest first, from what is stored. */
export function timelineOf(
  request: Told,
  attempts: readonly Pick<Attempt, 'engine' | 'outcome' | 'finishedAt'>[],
  deliveries: readonly Pick<Delivery, 'status' | 'attempt' | 'responseCode' | 'error' | 'createdAt'>[],
): TimelineEvent[] {
  const events: TimelineEvent[] = [{ at: request.createdAt, kind: 'accepted', detail: null }];
  if (request.hold > 0n) events.push({ at: request.createdAt, kind: 'held', detail: `${toUsd(request.hold)} USD` });
  if (request.startedAt) events.push({ at: request.startedAt, kind: 'started', detail: null });
  events.push(...preparation(request));
  for (const { engine, outcome, finishedAt } of attempts) {
    if (finishedAt) events.push({ at: finishedAt, kind: 'attempt', detail: `${engine}: ${outcome ?? 'unknown'}` });
  }
  if (request.finishedAt) events.push({ at: request.finishedAt, kind: 'settled', detail: request.status });
  for (const delivery of deliveries.filter(({ attempt }) => attempt > 0)) {
    const kind = delivery.status === 'delivered' ? 'delivered' : 'delivery_failed';
    const answer = delivery.responseCode === null ? delivery.error : `HTTP ${delivery.responseCode}`;
    events.push({ at: delivery.createdAt, kind, detail: answer });
  }
  return events.sort((a, b) => a.at.getTime() - b.at.getTime() || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}

/**
 * Times are kept as spans from the start of the run. Pictures of several pages and the engine take turns: there is no moment
 * at which all of them were made, and the sum of their times is no duration of anything.
 */
function preparation({ startedAt, finishedAt, documentMs, renderMs, pagesTotal }: Told): TimelineEvent[] {
  if (!startedAt || !finishedAt) return [];
  const after = (ms: number) => new Date(Math.min(startedAt.getTime() + ms, finishedAt.getTime()));
  const events: TimelineEvent[] = [];
  if (documentMs !== null) events.push({ at: after(documentMs), kind: 'document', detail: `${documentMs} ms` });
  if (renderMs && pagesTotal === 1)
    events.push({ at: after((documentMs ?? 0) + renderMs), kind: 'rendered', detail: `${renderMs} ms` });
  return events;
}
