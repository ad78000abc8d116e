import type { HeldRequest } from './heartbeat-messages.ts';

/** A lease of this process without a run. */
export interface Stray {
  readonly lease: HeldRequest;
  /** It was run here, but could not be settled. */
  readonly wasRun: boolean;
}

/**
 * Tells stray leases (the answer to their claim was lost, or their run was left) from those whose claim or acceptance is about
 * to be answered. A lease is stray when it still has no run after every claim and acceptance has ended that was under way when
 * it was first seen.
 */
export class UnknownLeases {
  /** Claims and acceptances that are under way. */
  readonly #underWay = new Set<symbol>();
  readonly #seen = new Map<string, readonly symbol[]>();
  readonly #runs = new Set<string>();

  /** A claim or an acceptance begins; disposing of the result ends it. */
  begin(): Disposable {
    const mark = Symbol('taking');
    this.#underWay.add(mark);
    return { [Symbol.dispose]: () => this.#underWay.delete(mark) };
  }

  /** A run under this lease has ended without a settlement. */
  noteUnfinished(lease: HeldRequest): void {
    this.#runs.add(keyOf(lease));
  }

  /** Whether a run under this lease has ended without a settlement. */
  wasRun(lease: HeldRequest): boolean {
    return this.#runs.has(keyOf(lease));
  }

  /** The stray ones among these leases; they must be all that this process holds without a run. */
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
