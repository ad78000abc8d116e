import 'reflect-metadata';
import { resolve } from 'node:path';
import { Audit } from '../accounts/store/audit.ts';
import { openDatabase } from '../database/open.ts';
import { openPool } from '../database/pool.ts';
import { exclusively } from '../database/sessions/exclusively.ts';
import { withConnection } from '../database/sessions/with-connection.ts';
import type { Config } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';
import { makeFolder } from '../platform/files/make-folder.ts';
import { lowestId } from '../platform/ids.ts';
import { makeLog } from '../platform/logging/log.ts';
import { type ArchiveWork, archivePart, finishArchives } from '../requests/archive/archive-months.ts';
import type { ArchivedPart } from '../requests/archive/archive-part.ts';
import { oldParts } from '../requests/archive/old-parts.ts';

const log = makeLog('silent');

export interface ArchiveOptions {
  /** A month, as `2026-01`: what was accepted before it. */
  readonly before: string;
  /** The folder of the files; made where it is not there. */
  readonly out: string;
  readonly deleteTexts?: boolean;
}

/** Moves pages, layouts and attempts of months that are over to files, oldest first; beside a running service, too. */
export async function archive(config: Config, { before, out, deleteTexts = false }: ArchiveOptions) {
  const bound = lowestId('ocr_', monthOf(before));
  const folder = resolve(out);
  await makeFolder(folder, 0o700).catch((cause: Error) => {
    throw new AppError('invalid_request', `out: the folder cannot be made: ${cause.message}.`, {}, { cause });
  });
  await using database = await openDatabase(config, log, { share: true });
  const { ownerUrl } = database;
  const pool = openPool(ownerUrl, { max: 2, log, kind: 'admin' });
  const details = { before, out: folder, deleteTexts };
  const act = { via: 'command line', accountId: null, keyId: null, action: 'archive', subject: null, details } as const;
  try {
    return await new Audit(pool).record(act, () =>
      exclusively(ownerUrl, 'archive', null, () =>
        withConnection(ownerUrl, { name: 'archive' }, (client) =>
          archiveAll({ pool, client, folder, deleteTexts }, bound),
        ),
      ),
    );
  } finally {
    await pool.end();
  }
}

/** First what an earlier run has begun; the first part that cannot go yet ends it. */
async function archiveAll(work: ArchiveWork, bound: string) {
  const archived: ArchivedPart[] = [];
  for await (const finished of finishArchives(work)) archived.push(finished);
  let deleted = 0;
  for (const part of await oldParts(work.pool, bound)) {
    const done = await archivePart(work, part);
    deleted += done.deleted;
    archived.push(done.archived);
  }
  return { archived: archived.map(shown), requests_deleted: deleted };
}

function shown({ table, name, rows, bytes, sha256 }: ArchivedPart) {
  return { table, file: name, rows, bytes, sha256 };
}

/** The first moment of a month, UTC; at most of this one, since the months before it must be over. */
function monthOf(text: string): Date {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (!year || !month) throw new AppError('invalid_request', 'before: must be a month, as 2026-01.');
  const begins = new Date(Date.UTC(Number(year), Number(month) - 1, 1));
  if (begins > new Date()) throw new AppError('invalid_request', 'before: must not lie in the future.');
  return begins;
}
