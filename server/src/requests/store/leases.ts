import { type Pool, query } from '../../database/pool.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import { toRequest } from './find.ts';
import { CLAIM, HAND_BACK, HELD, NOT_BEFORE_US } from './lease-sql.ts';
import { ALONE_LEVEL, GROUP_LEVEL, HANDICAPS_US } from './queue-levels.ts';

/** A request under this process's lease, with its document where that is small. */
export interface Claimed {
  readonly request: OcrRequest;
  readonly bytes: Buffer | null;
}

export interface Claim {
  readonly claimed: Claimed[];
  /** Whether more requests wait than were taken; other processes may be taking them at this moment. */
  readonly isMore: boolean;
}

type ClaimRow = Partial<OcrRequest> & { found: number; bounds: string[]; bytes: Buffer | null };

/**
 * The leases of this process: claims of queued requests under its name, each with a fencing number that rises with every
 * holder.
 */
export class Leases {
  readonly #pool: Pool;
  readonly #owner: string;
  readonly #duration: string;
  /** By engine, then by level: where the waiting requests begin, as the last claim saw it. */
  readonly #bounds = new Map<string, readonly string[]>();

  constructor(pool: Pool, options: { owner: string; leaseMs: number }) {
    this.#pool = pool;
    this.#owner = options.owner;
    this.#duration = `${options.leaseMs} milliseconds`;
  }

  /** Takes up to `most` queued requests of this engine, in the order of the queue, but none of the accounts in `without`. */
  async claim({ id }: { readonly id: string }, most: number, without: readonly string[] = []): Promise<Claim> {
    const levels = [...HANDICAPS_US.keys()];
    const rows = await this.#take(id, most, { levels, bounds: this.boundsOf(id), handicaps: HANDICAPS_US, without });
    // Requests that were left out stand before the bounds of this claim.
    if (rows[0] && without.length === 0) this.#bounds.set(id, rows[0].bounds);
    return claimOf(rows);
  }

  /** Takes requests that were at work when a process died; with `alone` those that have to run alone. */
  async claimSuspects({ id }: { readonly id: string }, most: number, { alone }: { alone: boolean }): Promise<Claim> {
    const levels = [alone ? ALONE_LEVEL : GROUP_LEVEL];
    return claimOf(await this.#take(id, most, { levels, bounds: [NOT_BEFORE_US], handicaps: [0], without: [] }));
  }

  /** By level: the place before which no request of this engine waits, as far as the last claim could see. */
  boundsOf(engineId: string): readonly string[] {
    return this.#bounds.get(engineId) ?? HANDICAPS_US.map(() => NOT_BEFORE_US);
  }

  /** Makes the next claims look at the whole queue: a row can become visible late, before the place where claims begin. */
  lookEverywhere(): void {
    this.#bounds.clear();
  }

  /** Every lease that the database has for this process. */
  async held(): Promise<{ id: string; fence: number }[]> {
    return query<{ id: string; fence: number }>(this.#pool, HELD, [this.#owner]);
  }

  /** Puts a request that was not run back into the queue. Its start does not count. */
  async handBack({ id, fence }: { readonly id: string; readonly fence: number }): Promise<void> {
    await query(this.#pool, HAND_BACK, [id, fence, this.#owner]);
  }

  async #take(
    engineId: string,
    most: number,
    from: {
      levels: readonly number[];
      bounds: readonly string[];
      handicaps: readonly number[];
      without: readonly string[];
    },
  ): Promise<ClaimRow[]> {
    const { levels, bounds, handicaps, without } = from;
    const values = [engineId, most, this.#owner, this.#duration, levels, bounds, handicaps, without];
    return query<ClaimRow>(this.#pool, CLAIM, values);
  }
}

function claimOf(rows: readonly ClaimRow[]): Claim {
  const claimed = rows.flatMap(({ found: _found, bounds: _bounds, bytes, ...row }) =>
    row.id ? [{ request: toRequest(row), bytes }] : [],
  );
  claimed.sort((a, b) => (a.request.id < b.request.id ? -1 : 1));
  return { claimed, isMore: (rows[0]?.found ?? 0) > claimed.length };
}
