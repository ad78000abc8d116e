import type { Row } from './books.ts';
import { chargeOf, type Marker, NANO_USD, PRICES } from './marker.ts';
import { asItWent, hasEnded } from './page-ends.ts';
import { isPaid } from './paid-calls.ts';
import { PLACES } from './provider.ts';
import type { LoggedCall } from './provider-process.ts';
import type { Sent } from './sent.ts';

const STOPPED_CALL = PRICES.providerPerPageUsd * NANO_USD;
/** Until a run has heard that its request has ended in another process: two heartbeats. */
const UNHEARD_MS = 7000;

interface Page {
  readonly number: number;
  readonly marker: Marker;
  readonly calls: readonly LoggedCall[];
  readonly isRead: boolean;
  /** It had ended before the cancellation. */
  readonly isFinished: boolean;
}

/**
 * What does not hold of a request that was cancelled: its finished pages are sold at their price, the calls that were under
 * way at what the provider takes, and nothing else.
 */
export function brokenCancelled(row: Row, sent: Sent, calls: readonly LoggedCall[], isCrashed: boolean): string[] {
  const pages = sent.pages.map((marker, i) => pageOf(row, i + 1, marker, calls));
  const finished = pages.filter(({ isFinished }) => isFinished);
  const stopped = pages.filter(({ isFinished }) => !isFinished);
  const sold = finished.reduce((sum, page) => sum + chargeOf(sent.engine, asItWent(page.marker, page.calls)), 0);
  const ranOnce = row.fence === 1 && row.status !== 'rejected' && !isCrashed;
  const least = ranOnce ? stopped.filter((page) => page.calls.length > 0).length : 0;
  const most = Math.min(stopped.length, PLACES);
  const stoppedCalls = (row.costNanoUsd - sold) / STOPPED_CALL;
  const isDue = Number.isInteger(stoppedCalls) && stoppedCalls >= least && stoppedCalls <= most;
  const read = pages.filter(({ isRead }) => isRead).length;
  return [
    ...(row.isMarked ? [] : [`${row.id} was cancelled, and nobody has asked for it`]),
    ...(read < sent.pagesSeen ? [`${row.id} was shown with ${sent.pagesSeen} pages read, and ${read} are sold`] : []),
    ...(isDue
      ? []
      : [
          `${row.id} was cancelled and cost ${row.costNanoUsd} nano-USD: ${finished.length} pages at ${sold}, ` +
            `and ${least} to ${most} calls of ${STOPPED_CALL}`,
        ]),
    ...pages.flatMap((page) => brokenPage(row, page)),
  ];
}

function brokenPage(row: Row, { number, calls, isRead }: Page): string[] {
  const last = (row.finishedAt ?? Number.POSITIVE_INFINITY) + UNHEARD_MS;
  const late = calls.filter(({ at }) => at > last);
  return [
    ...(isRead && !calls.some(isPaid) ? [`page ${number} of ${row.id} was sold, and no call gave it`] : []),
    ...late.map(
      ({ at }) => `page ${number} of ${row.id} was called ${at - last + UNHEARD_MS} ms after its cancellation`,
    ),
  ];
}

function pageOf(row: Row, number: number, marker: Marker, calls: readonly LoggedCall[]): Page {
  return {
    number,
    marker,
    calls: calls.filter(({ serial }) => serial === marker.serial),
    isRead: row.pages.some((page) => page.number === number && page.state === 'read'),
    isFinished: hasEnded(row, number),
  };
}

/** What callers were told of cancellations stays so: what the service has promised to cancel has a mark, or had ended. */
export function brokenCancellation({ cancelAfter, cancelledAt }: Sent, row: Row): string[] {
  if (cancelAfter === null && row.isMarked) return [`${row.id} was cancelled by nobody`];
  const hadEnded = row.finishedAt !== null && cancelledAt !== null && row.finishedAt <= cancelledAt;
  if (cancelledAt === null || row.isMarked || hadEnded) return [];
  return [`the cancellation of ${row.id} was answered, and is gone`];
}
