import type { Catalogue } from '../../engines/catalogue.ts';
import type { Engine } from '../../engines/model/engine.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { EnginePlaces } from '../places/engine-places.ts';
import type { SlowDocuments } from '../places/slow-documents.ts';
import type { Claim, Claimed, Leases } from '../store/leases.ts';
import type { StrayLeases } from './stray-leases.ts';

/** Pause before the next claim, where other processes were just claiming the same requests. */
const CONTENDED_MS = 30;

export interface QueueClaimsDeps {
  readonly leases: Pick<Leases, 'claim'>;
  readonly catalogue: Pick<Catalogue, 'find'>;
  readonly places: EnginePlaces;
  readonly slow: SlowDocuments;
  readonly strays: StrayLeases;
  readonly log: Log;
  /** Whether work may begin here now. */
  readonly isOpen: () => boolean;
  /** Begins requests, for each of which a place was taken. */
  readonly begin: (claimed: readonly Claimed[]) => void;
}

/** Claims queued requests for every place that is free: one claim at a time, engine by engine. */
export class QueueClaims {
  readonly #deps: QueueClaimsDeps;
  /** Engines that may have queued requests: new ones do not overtake them. */
  readonly #backlog = new Set<string>();
  /** Engines whose last claim left out the requests of some account, which waits for slow documents. */
  readonly #leftOut = new Set<string>();
  #claiming: Promise<void> | null = null;
  /** Whether `wake` was called while a claim was under way: what came or was freed since may be missing in that claim. */
  #isWoken = false;

  constructor(deps: QueueClaimsDeps) {
    this.#deps = deps;
  }

  /** Resolves when the claim that is under way has ended. */
  get idle(): Promise<void> {
    return this.#claiming ?? Promise.resolve();
  }

  /** Whether requests of the engine may wait. */
  mayWait(engineId: string): boolean {
    return this.#backlog.has(engineId);
  }

  /** There is (or may be) a queued request of this engine. */
  noteQueued(engineId: string): void {
    this.#backlog.add(engineId);
    this.wake();
  }

  /** A place is free. */
  noteFree(): void {
    if (this.#backlog.size > 0) this.wake();
  }

  /** An account whose slow documents kept it from beginning anything may begin again. */
  resume(): void {
    for (const engineId of this.#leftOut) this.#backlog.add(engineId);
    this.#leftOut.clear();
    this.wake();
  }

  wake(): void {
    this.#isWoken = this.#claiming !== null;
    if (!this.#deps.isOpen() || this.#claiming) return;
    this.#claiming = this.#claimAll()
      .catch((error) => this.#deps.log.warn({ err: error }, 'claiming failed; the sweeper tries again'))
      .finally(() => {
        this.#claiming = null;
        if (this.#isWoken) this.wake();
      });
  }

  /**
   * Begins the requests that `claim` answers, at most `room` of them. Their places are taken before, so that nothing else
   * fills them.
   */
  async claimInto(engine: Engine, room: number, claim: () => Promise<Claim>): Promise<Claim> {
    const { places, strays, begin } = this.#deps;
    using _taking = strays.begin();
    places.take(engine.id, room);
    let free = room;
    try {
      const answer = await claim();
      free -= answer.claimed.length;
      begin(answer.claimed);
      return answer;
    } finally {
      if (free > 0) places.giveBack(engine.id, free);
    }
  }

  async #claimAll(): Promise<void> {
    const { catalogue, leases, places, slow, isOpen } = this.#deps;
    for (const id of [...this.#backlog]) {
      const engine = catalogue.find(id);
      if (!engine) {
        this.#backlog.delete(id);
        continue;
      }
      const room = places.free(engine);
      if (room <= 0 || !isOpen()) continue; // the next end of a request wakes us
      const { atLimit } = slow;
      if (atLimit.length > 0) this.#leftOut.add(id);
      const { claimed, isMore } = await this.claimInto(engine, room, () => leases.claim(engine, room, atLimit));
      if (claimed.length === room) continue;
      if (isMore) setTimeout(() => this.wake(), claimed.length > 0 ? 0 : CONTENDED_MS).unref();
      else this.#backlog.delete(id);
    }
  }
}
