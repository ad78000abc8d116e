import type { EngineState } from './engine-state.ts';
import classes from './status.module.css';

/** `open`: it has not ended, which is not the same as that nothing is known of it. */
type Look = EngineState | 'open';

/** The specification's words for a request, and the look of each. */
const LOOKS: Record<string, Look> = {
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

/** Status of a request or a delivery as a pill with shape and word. The shape is CSS: a list makes hundreds of pills. */
export function RequestStatus({ status }: { readonly status: string }) {
  const look = LOOKS[status] ?? 'no-data';
  return (
    <span className={classes['pill']} data-state={look}>
      {status}
    </span>
  );
}
