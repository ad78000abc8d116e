/** Where a request's time went. */
export type Share = 'queue' | 'again' | 'download' | 'place' | 'raster' | 'provider' | 'work' | 'write';

export interface TimeSplit {
  readonly totalMs: number;
  readonly shares: ReadonlyArray<{ readonly share: Share; readonly ms: number }>;
  /** The share that took most; null for a request without measurable time. */
  readonly worst: Share | null;
}

interface Timed {
  readonly status?: string;
  readonly createdAt: string;
  /** When its latest run began. */
  readonly startedAt?: string | null;
  /** When the first run began, where there were several: one that was handed back or lost is followed by another one. */
  readonly firstStartedAt?: string | null;
  readonly finishedAt?: string | null;
  readonly documentMs?: number | null;
  /** How long its pages waited for the engine, were drawn and were read: intervals, which do not overlap. */
  readonly wallTimes?: { readonly engineMs: number; readonly renderMs: number; readonly placeMs: number } | null;
}

/**
 * Splits the time from acceptance to the end (to `nowMs` while it runs) without counting any of it twice. What the gateway
 * has not measured as intervals stays one share: of a large job that runs, what came after its last page; of any other
 * request that runs, or was read by an earlier version, all of the run.
 */
export function timeSplit(request: Timed, nowMs: number): TimeSplit {
  const acceptedMs = Date.parse(request.createdAt);
  const endMs = request.finishedAt ? Date.parse(request.finishedAt) : nowMs;
  const { firstMs, startMs } = startsOf(request, endMs);
  const totalMs = Math.max(0, endMs - acceptedMs);
  const queue = clamp(firstMs - acceptedMs, totalMs);
  const again = clamp(startMs - acceptedMs, totalMs) - queue;
  let left = totalMs - queue - again;
  const cut = (ms: number): number => {
    const kept = clamp(ms, left);
    left -= kept;
    return kept;
  };
  const shares: TimeSplit['shares'] = [
    { share: 'queue', ms: queue },
    ...(again > 0 ? [{ share: 'again' as const, ms: again }] : []),
    { share: 'download', ms: cut(request.documentMs ?? 0) },
    ...sharesOfRun(request.wallTimes ?? null, cut),
    { share: request.wallTimes && request.finishedAt ? 'write' : 'work', ms: left },
  ];
  const worst = [...shares].sort((a, b) => b.ms - a.ms)[0];
  return { totalMs, shares, worst: worst && worst.ms > 0 ? worst.share : null };
}

/**
 * When its first run began, until which it waited, and when the latest one did. Between them were a run that was handed back
 * or lost, and the wait for the next one, which has no start yet while the request is queued again.
 */
export function startsOf(
  { status, startedAt, firstStartedAt }: Pick<Timed, 'status' | 'startedAt' | 'firstStartedAt'>,
  endMs: number,
): { firstMs: number; startMs: number } {
  const startMs = startedAt && status !== 'queued' ? Date.parse(startedAt) : endMs;
  const first = firstStartedAt ?? startedAt;
  return { firstMs: first ? Math.min(Date.parse(first), startMs) : startMs, startMs };
}

function sharesOfRun(times: Timed['wallTimes'] | null, cut: (ms: number) => number): TimeSplit['shares'] {
  if (!times) return [];
  return [
    { share: 'provider', ms: cut(times.engineMs) },
    { share: 'raster', ms: cut(times.renderMs) },
    { share: 'place', ms: cut(times.placeMs) },
  ];
}

const SENTENCES: Record<Share, string> = {
  queue: 'waiting in the queue for a free place at its engine',
  again: 'an earlier run that came to nothing, with the wait for the next one',
  download: 'getting and opening the document',
  place: 'pages waiting for a free place at the engine',
  raster: 'making pictures of its pages',
  provider: 'the engine',
  work: 'reading its pages',
  write: 'settling and writing the result',
};

export const SHARE_NAMES: Record<Share, string> = {
  queue: 'Queue',
  again: 'Earlier run',
  download: 'Document',
  place: 'Engine’s places',
  raster: 'Pictures',
  provider: 'Engine',
  work: 'Reading',
  write: 'Settling',
};

/** Why it took as long as it did, in one sentence. */
export function whySlow({ totalMs, shares, worst }: TimeSplit): string {
  if (worst === null) return 'It took no measurable time.';
  const ms = shares.find(({ share }) => share === worst)?.ms ?? 0;
  return `${Math.round((100 * ms) / totalMs)} % of it was ${SENTENCES[worst]}.`;
}

function clamp(ms: number, mostMs: number): number {
  return Math.min(Math.max(0, ms), mostMs);
}
