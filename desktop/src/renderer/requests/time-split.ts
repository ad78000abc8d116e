/** Where a request's time went. */
export type Share = 'queue' | 'download' | 'raster' | 'provider' | 'write';

export interface TimeSplit {
  readonly totalMs: number;
  readonly shares: ReadonlyArray<{ readonly share: Share; readonly ms: number }>;
  /** The share that took most; null for a request without measurable time. */
  readonly worst: Share | null;
}

interface Timed {
  readonly createdAt: string;
  readonly startedAt?: string | null;
  readonly finishedAt?: string | null;
  readonly documentMs?: number | null;
  readonly renderMs?: number | null;
  readonly attempts: ReadonlyArray<{
    readonly startedAt: string;
    readonly finishedAt?: string | null;
    readonly providerLatencyMs?: number | null;
  }>;
}

/**
 * Splits the time from acceptance to the end (to `nowMs` while it runs) without counting any of it twice: work done
 * side by side is cut to the wall time that is left for it, the engine's part first.
 */
export function timeSplit(request: Timed, nowMs: number): TimeSplit {
  const acceptedMs = Date.parse(request.createdAt);
  const endMs = request.finishedAt ? Date.parse(request.finishedAt) : nowMs;
  const startMs = request.startedAt ? Date.parse(request.startedAt) : endMs;
  const totalMs = Math.max(0, endMs - acceptedMs);
  const queue = clamp(startMs - acceptedMs, totalMs);
  let left = totalMs - queue;
  const cut = (ms: number): number => {
    const kept = clamp(ms, left);
    left -= kept;
    return kept;
  };
  const download = cut(request.documentMs ?? 0);
  const provider = cut(providerMs(request, nowMs));
  const raster = cut(request.renderMs ?? 0);
  const shares = [
    { share: 'queue', ms: queue },
    { share: 'download', ms: download },
    { share: 'raster', ms: raster },
    { share: 'provider', ms: provider },
    { share: 'write', ms: left },
  ] as const;
  const worst = [...shares].sort((a, b) => b.ms - a.ms)[0];
  return { totalMs, shares, worst: worst && worst.ms > 0 ? worst.share : null };
}

const SENTENCES: Record<Share, string> = {
  queue: 'waiting for a worker',
  download: 'getting and opening the document',
  raster: 'making pictures of its pages',
  provider: 'the engine',
  write: 'settling and writing the result',
};

export const SHARE_NAMES: Record<Share, string> = {
  queue: 'Queue wait',
  download: 'Download',
  raster: 'Raster',
  provider: 'Provider',
  write: 'Write',
};

/** Why it took as long as it did, in one sentence. */
export function whySlow({ totalMs, shares, worst }: TimeSplit): string {
  if (worst === null) return 'It took no measurable time.';
  const ms = shares.find(({ share }) => share === worst)?.ms ?? 0;
  return `${Math.round((100 * ms) / totalMs)} % of it was ${SENTENCES[worst]}.`;
}

/** Engine time of all attempts: as reported, or from start to end where nothing was (a timeout, one still running). */
function providerMs({ attempts }: Timed, nowMs: number): number {
  return attempts.reduce((sum, { startedAt, finishedAt, providerLatencyMs }) => {
    const wallMs = (finishedAt ? Date.parse(finishedAt) : nowMs) - Date.parse(startedAt);
    return sum + Math.max(0, Math.min(providerLatencyMs ?? wallMs, wallMs));
  }, 0);
}

function clamp(ms: number, mostMs: number): number {
  return Math.min(Math.max(0, ms), mostMs);
}
