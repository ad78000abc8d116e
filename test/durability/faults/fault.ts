import type { Absence } from '../mortal.ts';

export const FAULT_KINDS = ['kills', 'database-away', 'lost-answers', 'held-loop', 'frozen'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A harm that a run does to the product while it works, one blow at a time. */
export interface Fault {
  readonly kind: FaultKind;
  /** Every blow so far, as the report names it. */
  readonly blows: readonly string[];
  /** What of its kind no blow has hit. */
  readonly missed: readonly string[];
  /** Crashes of the database that it has caused. */
  readonly crashes: readonly Absence[];
  /** Times in which the database has taken no writes because of it, crashes among them. */
  readonly outages: readonly Absence[];
  /** Orderly stops of the product that it has asked for, each until the process had ended. */
  readonly stops: readonly Absence[];
  /** One blow; resolves when it is over, but for what recovers by itself. */
  strike(): Promise<void>;
  /** Resolves when everything that was hit has recovered. */
  recovered(): Promise<void>;
}
