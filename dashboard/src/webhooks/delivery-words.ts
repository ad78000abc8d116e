import { MOST_ATTEMPTS } from '@ocr-router/ui/webhooks/on-its-way.ts';

/** `2 of 4`; of a delivery that was sent again by hand, which sending that is of. */
export function attemptText({ round, attempt }: { readonly round: number; readonly attempt: number }): string {
  if (attempt === 0) return '–';
  return `${attempt} of ${MOST_ATTEMPTS}${round > 1 ? `, sending ${round}` : ''}`;
}

/** A body to be read. What is signed are its bytes as they were sent: those are copied. */
export function readableBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** As many attempts as the service lists. */
const LISTED = 100;

/** Above a list of attempts; `many` is not known while they are loaded. */
export function deliveriesTitle(many: number | undefined): string {
  return many === LISTED ? `Deliveries: the latest ${LISTED} attempts` : 'Deliveries';
}
