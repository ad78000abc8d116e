import { WallClock } from './wall-clock.ts';

/** The times of a run's steps, in milliseconds. A run adds to them. */
export interface Phases {
  /** Getting the document and finding it readable; null where acceptance had done it before the run began. */
  documentMs: number | null;
  /** Making the pictures of its pages, those made side by side added up. */
  renderMs: number;
  /** The wall time of all that its pages are busy with. */
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
