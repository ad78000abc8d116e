/** Small messages from every process to every other one. All of them are hints: one that is lost costs nothing. */
export interface Broadcast extends AsyncDisposable {
  /** Whether there is anybody to tell. */
  readonly reachesOthers: boolean;
  send(message: object): void;
  /** Tells what other processes sent. */
  onMessage(listener: (message: unknown) => void): void;
}

/** Where one process does everything there is no other one to notify. */
export class NoBroadcast implements Broadcast {
  readonly reachesOthers = false;

  send(): void {}

  onMessage(): void {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
