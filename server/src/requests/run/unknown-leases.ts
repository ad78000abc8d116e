import type { HeldRequest } from './heartbeat-messages.ts';

/** A request under this process's lease that it does not run. */
export interface Stray {
  readonly lease: HeldRequest;
  /** It was run here, to an end that could not be written down. */
  readonly wasRun: boolean;
}

/**
 * Tells requests that this process holds without knowing (the answer to their claim was lost, or their run was left)
 * from those that it is about to learn of: a lease is stray when it is still not run after every claim and acceptance has
 * ended that was under way when it was first seen.
 */
export class UnknownLeases {
  /** Claims and acceptances that are under way. */
  readonly #underWay = new Set<symbol>();
  readonly #seen = new Map<string, readonly symbol[]>();
  readonly #runs = new Set<string>();

  /** A claim or an acceptance begins; it has ended when the answer is disposed of. */
  begin(): Disposable {
    const mark = Symbol('taking');
    this.#underWay.add(mark);
    return { [Symbol.dispose]: () => this.#underWay.delete(mark) };
  }

  /** A run under this lease came to no end. */
  noteRun(lease: HeldRequest): void {
    this.#runs.add(keyOf(lease));
  }

  /** Whether a run under this lease came to no end. */
  wasRun(lease: HeldRequest): boolean {
    return this.#runs.has(keyOf(lease));
  }

  /** Which of these leases, all that are held and not run, are stray. */
  among(unknown: readonly HeldRequest[]): Stray[] {
    const keys = new Set(unknown.map(keyOf));
    for (const known of [this.#seen, this.#runs]) {
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    }
    return unknown.flatMap((lease) => {
      const key = keyOf(lease);
      const then = this.#seen.get(key);
      if (!then) {
        this.#seen.set(key, [...this.#underWay]);
        return [];
      }
      if (then.some((mark) => this.#underWay.has(mark))) return [];
      return [{ lease, wasRun: this.wasRun(lease) }];
    });
  }
}

function keyOf({ id, fence }: HeldRequest): string {
  return `${id}:${fence}`;
}
