import { WallClock } from './wall-clock.ts';

/** Where the time of a run goes, in milliseconds. */
export interface Phases {
  /** Getting the document and finding it readable; null where acceptance had done it before the run began. */
  documentMs: number | null;
  /** Making the pictures of its pages, those made side by side added up. */
  renderMs: number;
  /** The same and what else there is to do, as intervals. */
  readonly clock: WallClock;
}

export function newPhases(): Phases {
  return { documentMs: null, renderMs: 0, clock: new WallClock() };
}

/** Runs `work` and hands over how long it took, however it ended. */
export async function timed<T>(work: () => Promise<T>, note: (ms: number) => void): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    note(Math.round(performance.now() - started));
  }
}
