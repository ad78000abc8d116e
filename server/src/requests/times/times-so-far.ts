import type { WallTimes } from './wall-times.type.ts';

/** Where the time of a large job's run has gone so far, as it is stored with each of its pages. */
export interface TimesSoFar extends WallTimes {
  /** The run's lease: what an earlier run measured says nothing of this one. */
  readonly fence: number;
  /** Getting the document and finding it readable; null where acceptance had done it before the run began. */
  readonly documentMs: number | null;
}
