/**
 * Says that there is work, that work has ended, and that work is to end. All of it is hints: PostgreSQL knows what waits and what has ended,
 * and a process that misses a hint finds out by polling it within seconds.
 */
export interface Dispatch extends AsyncDisposable {
  /** A request of this engine waits in the queue. */
  announce(hint: Hint): void;
  /**
   * Hands on the announcements of these engines. `take` resolves when this process has room for one more request of the
   * engine; until then others get its announcements.
   */
  serve(engineIds: readonly string[], take: (engineId: string) => Promise<void>): void;
  /** A request has ended; its waiting caller may be in another process. */
  ended(requestId: string): void;
  /** Tells of requests that ended in other processes. */
  onEnded(listener: (requestId: string) => void): void;
  /** A request is cancelled; the process that works on it may be another one. */
  cancel(requestId: string): void;
  /** Tells of requests that were cancelled in other processes. */
  onCancel(listener: (requestId: string) => void): void;
}

export interface Hint {
  readonly engineId: string;
  /** Another one for each announcement of a request. */
  readonly id: string;
}
