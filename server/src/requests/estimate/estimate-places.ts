import { WaitingLine } from '../../platform/concurrency/waiting-line.ts';

const LINE = {
  mostWaiting: 16,
  mostWaitingEach: 4,
  waitMs: 20_000,
  message: 'Too many estimates are under way; try again.',
};

/** The places for fetching documents of estimates, and for opening them. */
export interface EstimatePlaces {
  readonly fetching: WaitingLine;
  readonly opening: WaitingLine;
  /** How long the document may take to come. A request has longer, but that is paid for. */
  readonly fetchMs: number;
}

/**
 * Estimates are free of charge. Accounts without money have places of their own, and a shorter time, so that they never keep
 * accounts with money waiting. Fetching and opening have separate places: a slow document keeps no other one from being opened.
 */
export function makeEstimatePlaces(): (hasMoney: boolean) => EstimatePlaces {
  const funded = {
    fetching: new WaitingLine({ ...LINE, permits: 16, permitsEach: 2, mostWaiting: 32 }),
    opening: new WaitingLine({ ...LINE, permits: 2, permitsEach: 1 }),
    fetchMs: 20_000,
  };
  const unfunded = {
    fetching: new WaitingLine({ ...LINE, permits: 4, permitsEach: 1, waitMs: 10_000 }),
    opening: new WaitingLine({ ...LINE, permits: 1, permitsEach: 1 }),
    fetchMs: 5000,
  };
  return (hasMoney) => (hasMoney ? funded : unfunded);
}
