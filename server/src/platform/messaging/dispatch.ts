/**
 * Tells other processes that a request was queued, has ended, or is cancelled. All of it is hints: PostgreSQL has the state of
 * each request, and a process that misses a hint finds out within seconds by polling.
 */
export interface Dispatch extends AsyncDisposable {
  /** A request of this engine waits in the queue. */
  queued(hint: Hint): void;
  /**
   * Calls `take` for each queued request of these engines that this process is told of. `take` resolves when this process has
   * room for one more request of the engine; until then other processes are told.
   */
  serve(engineIds: readonly string[], take: (engineId: string) => Promise<void>): void;
  /** A request has ended; its waiting caller may be in another process. */
  ended(requestId: string): void;
  /** Calls the listener with each request that has ended in another process. */
  onEnded(listener: (requestId: string) => void): void;
  /** A request is cancelled; the process that works on it may be another one. */
  cancel(requestId: string): void;
  /** Calls the listener with each request that was cancelled in another process. */
  onCancel(listener: (requestId: string) => void): void;
}

/** A request was queued: for which engine. */
export interface Hint {
  readonly engineId: string;
  /** Differs each time that a request is queued: Redis drops a hint whose id it has already. */
  readonly id: string;
}
