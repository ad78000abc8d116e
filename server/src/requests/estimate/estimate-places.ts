import { WaitingLine } from '../../platform/concurrency/waiting-line.ts';

const MESSAGE = 'Too many estimates are under way; try again.';

/** What an estimate waits for: to fetch its document, and to open it. */
export interface EstimatePlaces {
  readonly fetching: WaitingLine;
  readonly opening: WaitingLine;
  /** How long the document may take to come. A request has longer, but that is paid for. */
  readonly fetchMs: number;
}

/**
 * Estimates are free of charge, so accounts without money have places of their own, and a shorter time: however many of them
 * there are, they keep nobody waiting who has money. A document that comes slowly holds no place where one is opened.
 */
export function makeEstimatePlaces(): (hasMoney: boolean) => EstimatePlaces {
  const funded = {
    fetching: new WaitingLine({ atOnce: 16, mostOf: 2, waiting: 32, waitingOf: 4, waitMs: 20_000, message: MESSAGE }),
    opening: new WaitingLine({ atOnce: 2, mostOf: 1, waiting: 16, waitingOf: 4, waitMs: 20_000, message: MESSAGE }),
    fetchMs: 20_000,
  };
  const penniless = {
    fetching: new WaitingLine({ atOnce: 4, mostOf: 1, waiting: 16, waitingOf: 4, waitMs: 10_000, message: MESSAGE }),
    opening: new WaitingLine({ atOnce: 1, mostOf: 1, waiting: 16, waitingOf: 4, waitMs: 20_000, message: MESSAGE }),
    fetchMs: 5000,
  };
  return (hasMoney) => (hasMoney ? funded : penniless);
}
