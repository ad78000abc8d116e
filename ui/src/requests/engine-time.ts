import { duration } from '../format/duration.ts';

/** What a list says of its column: beside the total time a sum needs a word. */
export const ENGINE_TIME = {
  header: 'Engine time',
  hint: 'Engine time, all pages together: they are read side by side, so that it may be more than the total time',
};

interface Timed {
  readonly providerLatencyMs?: number | null;
  readonly pages?: number | null;
}

/** Where nothing else says that it is a sum. */
export function engineTimeText({ providerLatencyMs, pages }: Timed): string {
  const text = duration(providerLatencyMs);
  return providerLatencyMs != null && (pages ?? 1) > 1 ? `${text}, all pages together` : text;
}
