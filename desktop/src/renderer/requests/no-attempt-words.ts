interface Unattempted {
  readonly status: string;
  readonly engine: string;
  readonly finishedAt?: string | null;
  readonly understood: Readonly<Record<string, unknown>>;
}

/** Why a request has no attempts: those of one that has not ended are not written yet. */
export function noAttemptWords({ status, engine, finishedAt, understood }: Unattempted): string {
  if (finishedAt) return 'No engine has run for it.';
  if (status === 'queued') return `It waits for ${engine}.`;
  const hasSecond = understood['fallback'] === 'similar' || understood['fallbackEngine'] != null;
  const readers = hasSecond ? `${engine}, or its second engine,` : engine;
  return `Being read by ${readers} now. The attempt is listed when the request has ended.`;
}
