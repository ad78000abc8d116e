import { openPool, type Pool, queryOne } from '../../database/pool.ts';
import { exclusivelyIfFree } from '../../database/sessions/exclusively.ts';
import { withConnection } from '../../database/sessions/with-connection.ts';
import { Periodic } from '../../platform/concurrency/periodic.ts';
import { AppError } from '../../platform/errors.ts';
import { makeFolder } from '../../platform/files/make-folder.ts';
import type { Log } from '../../platform/logging/log.ts';
import type { ArchiveConfig } from '../../platform/settings/archive-settings.ts';
import { type ArchiveWork, archivePart, finishArchives } from './archive-months.ts';
import type { ArchivedPart } from './archive-part.ts';
import { detachedParts, type OldPart, oldParts, ownsParts } from './old-parts.ts';

/** A month that cannot go yet is looked at again after this long: that reads its requests. */
const EVERY_MS = 86_400_000;
/** Something failed, or another process is about it. */
const AGAIN_MS = 3_600_000;

export interface MonthArchiveOptions {
  /** Of the role that owns the tables. */
  readonly ownerUrl: string;
  readonly settings: ArchiveConfig;
  readonly log: Log;
  /** Hears of the rows of a table that now stand in a file. */
  readonly onArchived: (table: string, rows: number) => void;
}

/**
 * Moves months that are long over to files, as `admin archive` does, one process at a time. A process that ends in the middle
 * leaves a part without its table, which the next run finishes first; the rows stand there until their file was read again.
 */
export class MonthArchive implements AsyncDisposable {
  readonly #options: MonthArchiveOptions;
  readonly #periodic: Periodic;

  constructor(options: MonthArchiveOptions) {
    this.#options = options;
    let isLeft = false;
    const run = async (stop: AbortSignal) => {
      isLeft = true; // of a run that fails nothing is known
      isLeft = !(await this.#run(stop));
    };
    this.#periodic = new Periodic(run, {
      everyMs: () => (isLeft ? AGAIN_MS : EVERY_MS),
      onError: (error) => options.log.warn({ err: error }, 'months that are over were not archived yet'),
    });
  }

  start(): void {
    this.#periodic.start();
  }

  /** Answers false where another process is about it. */
  async #run(stop: AbortSignal): Promise<boolean> {
    const { ownerUrl, settings, log } = this.#options;
    const { afterMonths, folder, deleteTexts } = settings;
    const pool = openPool(ownerUrl, { max: 1, log, kind: 'background' });
    try {
      const bound = await boundOf(pool, afterMonths);
      if ([...(await detachedParts(pool)), ...(await oldParts(pool, bound))].length === 0) return true;
      if (!(await ownsParts(pool))) {
        log.warn('months that are over are not archived: the role of DATABASE_URL does not own the tables');
        return true;
      }
      await makeFolder(folder, 0o700);
      return await exclusivelyIfFree(ownerUrl, 'archive', () =>
        withConnection(ownerUrl, { name: 'archive', stop }, (client) =>
          this.#archive({ pool, client, folder, deleteTexts, stop }, bound),
        ),
      );
    } finally {
      await pool.end();
    }
  }

  async #archive(work: ArchiveWork, bound: string): Promise<void> {
    for await (const finished of finishArchives(work)) this.#tell(finished);
    let refused: OldPart | null = null;
    for (const part of await oldParts(work.pool, bound)) {
      work.stop?.throwIfAborted();
      if (refused?.low === part.low && refused.high === part.high) continue; // the same requests
      refused = (await this.#isArchived(work, part)) ? null : part;
    }
  }

  /** False where the part cannot go yet, which keeps no other month. */
  async #isArchived(work: ArchiveWork, part: OldPart): Promise<boolean> {
    const { log } = this.#options;
    try {
      const { archived, deleted } = await archivePart(work, part);
      if (deleted > 0) log.info({ part: part.part, requests: deleted }, 'texts were deleted before their archive');
      this.#tell(archived);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ part: part.part, why: error.message }, 'a month that is over stays in the database');
      return false;
    }
  }

  #tell({ table, name, rows, bytes, sha256 }: ArchivedPart): void {
    this.#options.onArchived(table, rows);
    this.#options.log.info({ table, file: name, rows, bytes, sha256 }, 'a month was archived');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#periodic[Symbol.asyncDispose]();
  }
}

const BOUND = {
  name: 'archive-bound',
  text: `select lowest_request_id((date_trunc('month', now() at time zone 'UTC') - make_interval(months => $1::int))
    at time zone 'UTC') as bound`,
};

/** The lowest id of the oldest month that stays, UTC: by the database's clock, because what goes does not come back. */
export async function boundOf(pool: Pool, months: number): Promise<string> {
  return (await queryOne<{ bound: string }>(pool, BOUND, [months])).bound;
}
