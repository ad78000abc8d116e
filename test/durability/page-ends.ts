import type { Row } from './books.ts';
import type { Marker } from './marker.ts';
import type { LoggedCall } from './provider-process.ts';

/** The page with its outcome: a call that was given up is a timeout, when no later one took its place. */
export function asItWent(page: Marker, calls: readonly LoggedCall[]): Marker {
  const last = calls.findLast(({ serial }) => serial === page.serial);
  return last?.aborted ? { ...page, outcome: 'timeout' } : page;
}

/** Whether a page had ended before its request did: in a cancelled one some have not. */
export function hasEnded({ isCancelled, pages }: Row, number: number): boolean {
  if (!isCancelled) return true;
  const page = pages.find((each) => each.number === number);
  return page !== undefined && page.code !== 'cancelled';
}
