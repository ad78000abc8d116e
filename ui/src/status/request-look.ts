import type { EngineState } from './engine-state.ts';

/** `open`: it has not ended, which is not the same as that nothing is known of it. */
export type RequestLook = EngineState | 'open';

/** The specification's words for a request and for a delivery, and the look of each. */
const LOOKS: Record<string, RequestLook> = {
  succeeded: 'healthy',
  partial: 'degraded',
  timeout: 'down',
  failed: 'down',
  rejected: 'down',
  refunded: 'degraded',
  queued: 'open',
  processing: 'open',
  delivered: 'healthy',
  pending: 'open',
  skipped: 'disabled',
};

/** How a status is drawn; as one of which nothing is known where the word is a newer gateway's. */
export function requestLook(status: string): RequestLook {
  return LOOKS[status] ?? 'no-data';
}
