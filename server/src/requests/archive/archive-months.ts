import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Pool } from '../../database/pool.ts';
import { type ArchivedPart, archiveDetached, detachPart, fileOf } from './archive-part.ts';
import { forgetRange } from './forget-range.ts';
import { detachedParts, keptRequests, MOST_KEPT, type OldPart, refusal, requireOver } from './old-parts.ts';

/** What archiving takes; both connections are of the role that owns the tables. */
export interface ArchiveWork {
  readonly pool: Pool;
  readonly client: pg.Client;
  readonly folder: string;
  /** Whether what requests still keep of what they read is deleted first; else their month is refused. */
  readonly deleteTexts: boolean;
  /** Ends the work where it stands; the next run goes on from there. */
  readonly stop?: AbortSignal | undefined;
}

/** Finishes what an earlier run has begun. Its file may be there, and is written anew. */
export async function* finishArchives({ pool, client, folder, stop }: ArchiveWork): AsyncGenerator<ArchivedPart> {
  for (const part of await detachedParts(pool)) yield await archiveDetached(client, part, { folder, stop });
}

/** Moves a part to a file. Throws a refusal, before anything has changed, where it cannot go yet. */
export async function archivePart(
  { pool, client, folder, deleteTexts, stop }: ArchiveWork,
  part: OldPart,
): Promise<{ archived: ArchivedPart; deleted: number }> {
  if (existsSync(join(folder, fileOf(part)))) throw refusal(part.part, 'a file with its name is there');
  const deleted = await makeReady({ pool, deleteTexts, stop }, part);
  await detachPart(client, part);
  return { archived: await archiveDetached(client, part, { folder, stop }), deleted };
}

/** Nothing of a request may be archived that an account could still have deleted. */
async function makeReady(
  { pool, deleteTexts, stop }: Pick<ArchiveWork, 'pool' | 'deleteTexts' | 'stop'>,
  part: OldPart,
): Promise<number> {
  await requireOver(pool, part);
  const kept = await keptRequests(pool, part);
  if (kept === 0) return 0;
  if (deleteTexts) return forgetRange(pool, part, stop);
  const many = kept === MOST_KEPT ? `more than ${MOST_KEPT - 1}` : kept;
  const why = `${many} of its requests keep what they read, and an archive holds no texts: set \`account retention\`, or give --delete-texts (ARCHIVE_DELETE_TEXTS)`;
  throw refusal(part.part, why);
}
