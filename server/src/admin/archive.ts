import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { Audit } from '../accounts/store/audit.ts';
import { openAsOwner } from '../database/open.ts';
import { openPool, type Pool } from '../database/pool.ts';
import { exclusively } from '../database/sessions/exclusively.ts';
import { withConnection } from '../database/sessions/with-connection.ts';
import type { Config } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';
import { lowestId } from '../platform/ids.ts';
import { makeLog } from '../platform/logging/log.ts';
import { type ArchivedPart, archiveDetached, detachPart, fileOf } from '../requests/archive/archive-part.ts';
import { forgetRange } from '../requests/archive/forget-range.ts';
import {
  detachedParts,
  keptRequests,
  type OldPart,
  oldParts,
  refusal,
  requireOver,
} from '../requests/archive/old-parts.ts';

const log = makeLog('silent');

export interface ArchiveOptions {
  /** A month, as `2026-01`: what was accepted before it. */
  readonly before: string;
  /** The folder of the files; made where it is not there. */
  readonly out: string;
  readonly deleteTexts?: boolean;
}

interface Work {
  readonly pool: Pool;
  readonly client: pg.Client;
  readonly folder: string;
  readonly deleteTexts: boolean;
}

/** Moves pages, layouts and attempts of months that are over to files, oldest first; beside a running service, too. */
export async function archive(config: Config, { before, out, deleteTexts = false }: ArchiveOptions) {
  const bound = lowestId('ocr_', monthOf(before));
  const folder = resolve(out);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await using database = await openAsOwner(config, log);
  const { ownerUrl } = database;
  const pool = openPool(ownerUrl, { max: 2, log, kind: 'admin' });
  const details = { before, out: folder, deleteTexts };
  const act = { via: 'command line', accountId: null, keyId: null, action: 'archive', subject: null, details } as const;
  try {
    return await new Audit(pool).record(act, () =>
      exclusively(ownerUrl, 'archive', null, () =>
        withConnection(ownerUrl, (client) => archiveAll({ pool, client, folder, deleteTexts }, bound)),
      ),
    );
  } finally {
    await pool.end();
  }
}

/** First what an earlier run has begun. Its file may be there, and is written anew. */
async function archiveAll({ pool, client, folder, deleteTexts }: Work, bound: string) {
  const archived: ArchivedPart[] = [];
  for (const part of await detachedParts(pool)) archived.push(await archiveDetached(client, part, folder));
  let deleted = 0;
  for (const part of await oldParts(pool, bound)) {
    if (existsSync(join(folder, fileOf(part)))) throw refusal(part.part, 'a file with its name is there');
    deleted += await makeReady(pool, part, deleteTexts);
    await detachPart(client, part);
    archived.push(await archiveDetached(client, part, folder));
  }
  return { archived: archived.map(shown), requests_deleted: deleted };
}

/** Nothing of a request may be archived that an account could still have deleted. */
async function makeReady(pool: Pool, part: OldPart, deleteTexts: boolean): Promise<number> {
  await requireOver(pool, part);
  const kept = await keptRequests(pool, part);
  if (kept === 0) return 0;
  if (deleteTexts) return forgetRange(pool, part);
  const why = `${kept} of its requests keep what they read, and an archive holds no texts: set \`account retention\`, or give --delete-texts`;
  throw refusal(part.part, why);
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
