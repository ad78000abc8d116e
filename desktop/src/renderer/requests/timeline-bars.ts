import { type Share, startsOf } from './time-split.ts';

/** A stretch of a request's life, from its acceptance on. */
export interface TimelineBar {
  readonly name: string;
  readonly share: Share;
  readonly fromMs: number;
  readonly ms: number;
  readonly isTrouble: boolean;
}

interface Lived {
  readonly status?: string;
  readonly createdAt: string;
  readonly startedAt?: string | null;
  readonly firstStartedAt?: string | null;
  readonly finishedAt?: string | null;
  readonly documentMs?: number | null;
  readonly attempts: ReadonlyArray<{
    readonly number: number;
    readonly engine: string;
    readonly startedAt: string;
    readonly finishedAt?: string | null;
    readonly outcome?: string | null;
  }>;
}

/** The wait, the document, each attempt and the settling, each from when to when; up to `nowMs` while it runs. */
export function timelineBars(request: Lived, nowMs: number): readonly TimelineBar[] {
  const acceptedMs = Date.parse(request.createdAt);
  const endMs = request.finishedAt ? Date.parse(request.finishedAt) : nowMs;
  const bar = (name: string, share: Share, span: readonly [number, number], isTrouble = false): TimelineBar => {
    const fromMs = Math.max(0, span[0] - acceptedMs);
    return { name, share, fromMs, ms: Math.max(0, span[1] - acceptedMs - fromMs), isTrouble };
  };
  const { firstMs, startMs: startedMs } = startsOf(request, endMs);
  const bars = [bar('Queue', 'queue', [acceptedMs, firstMs])];
  if (!request.startedAt) return bars;
  if (firstMs < startedMs) bars.push(bar('Earlier run', 'again', [firstMs, startedMs], true));
  if (request.documentMs) bars.push(bar('Document', 'download', [startedMs, startedMs + request.documentMs]));
  for (const { number, engine, startedAt, finishedAt, outcome } of request.attempts) {
    const span = [Date.parse(startedAt), finishedAt ? Date.parse(finishedAt) : endMs] as const;
    const isTrouble = finishedAt != null && outcome !== 'ok';
    bars.push(bar(request.attempts.length > 1 ? `${number}. ${engine}` : engine, 'provider', span, isTrouble));
  }
  const lastMs = Math.max(...request.attempts.map(({ finishedAt }) => (finishedAt ? Date.parse(finishedAt) : 0)));
  if (request.finishedAt && lastMs > 0) bars.push(bar('Settling', 'write', [lastMs, endMs]));
  return bars;
}
