/** A request under a lease: its id and the fencing number of the lease. */
export interface HeldRequest {
  readonly id: string;
  readonly fence: number;
}

/** A request as the database says that this process holds it. */
interface Held extends HeldRequest {
  /** Its cancellation was asked for. */
  readonly cancelled: boolean;
}

/** What the heartbeat's thread is started with. */
export interface HeartbeatData {
  readonly url: string;
  readonly owner: string;
  readonly leaseMs: number;
  /** Engines of which this process takes queued requests. */
  readonly engineIds: readonly string[];
  /** A main thread that stands still for longer is not kept alive. */
  readonly stallMs: number;
  readonly shared: SharedArrayBuffer;
}

/** Cells of the memory that both threads see: the main thread's clock, its starts of work, the time of the last beat. */
export const TICK = 0;
export const STARTED = 1;
export const BEAT_AT = 2;
export const CELLS = 3;

export type ToHeartbeat =
  /** Requests at work by engine, for the next beat. */
  { readonly kind: 'running'; readonly running: Readonly<Record<string, number>> } | { readonly kind: 'leave' };

/** What the database says that this process holds, asked after `startedBefore` starts of work. */
export interface HeldAnswer {
  readonly startedBefore: number;
  readonly held: readonly Held[];
}

export type FromHeartbeat =
  | ({ readonly kind: 'held' } & HeldAnswer)
  | { readonly kind: 'beaten' }
  /** The lease could not be renewed. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The lease is renewed; what is held could not be asked. */
  | { readonly kind: 'unseen'; readonly message: string };
