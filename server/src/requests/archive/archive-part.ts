import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isTooSlow } from '../../database/outage.ts';
import { syncFolder } from '../../platform/files/sync-folder.ts';
import { timeOfId } from '../../platform/ids.ts';
import type { OldPart } from './old-parts.ts';
import { type PartFile, writePartFile } from './part-file.ts';

/** The exchange of a table waits for the statements that run, and keeps others waiting meanwhile; so it gives up early. */
const LOCK_LIMIT = '500ms';
const TRIES = 240;
const PAUSE_MS = 250;

const NOTE = 'insert into archived_part (part, table_name, low, high) values ($1, $2, $3, $4)';
const FINISH =
  'update archived_part set rows = $3, file = $4, bytes = $5, sha256 = $6 where table_name = $1 and high = $2';

/** What deletion takes, where something of it came between the deletion and the detachment: an archive holds none of it. */
const SCRUB: Readonly<Record<string, (part: string) => string>> = {
  ocr_page: (part) => `update ${part} set text = null, message = null where text is not null or message is not null`,
  attempt: (part) => `update ${part} set usage = null, message = null where usage is not null or message is not null`,
  page_layout: (part) => `delete from ${part}`,
};

export type ArchivedPart = OldPart & PartFile & { readonly name: string };

/** Takes a part out of its table. Rows of its requests that still come have the default part, and are found there. */
export async function detachPart(client: pg.Client, { table, part, low, high }: OldPart): Promise<void> {
  const detach = `alter table ${client.escapeIdentifier(table)} detach partition ${client.escapeIdentifier(part)}`;
  for (let tries = 1; ; tries++) {
    try {
      await inTransaction(client, async () => {
        await client.query(`set local lock_timeout = '${LOCK_LIMIT}'`);
        await client.query(NOTE, [part, table, low, high]);
        await client.query(detach);
      });
      return;
    } catch (error) {
      if (!isTooSlow(error) || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Moves the rows of a part that was detached to a file: writes it, reads it again, and only then drops the table. What ends in
 * between is done again from the beginning.
 */
export async function archiveDetached(
  client: pg.Client,
  old: OldPart,
  { folder, stop }: { folder: string; stop?: AbortSignal | undefined },
): Promise<ArchivedPart> {
  const { table, part, high } = old;
  const name = fileOf(old);
  const path = join(folder, name);
  const draft = `${path}.part`;
  const quoted = client.escapeIdentifier(part);
  const scrub = SCRUB[table];
  if (!scrub) throw new Error(`${table} is not divided`);
  try {
    await client.query(scrub(quoted));
    await rm(draft, { force: true }); // of a process that was killed
    const file = await writePartFile(client, part, draft, stop);
    await rename(draft, path);
    await syncFolder(folder); // the rows are dropped after it
    await inTransaction(client, async () => {
      await client.query(FINISH, [table, high, file.rows, name, file.bytes, file.sha256]);
      await client.query(`drop table ${quoted}`);
    });
    return { ...old, ...file, name };
  } finally {
    await rm(draft, { force: true });
  }
}

/** The file of a part, within its folder. What was before the months of a database is called by where it ends: a restored one has another. */
export function fileOf({ part, high }: OldPart): string {
  const end = part.endsWith('_before') ? `_${timeOfId(high).toISOString().slice(0, 7).replace('-', '')}` : '';
  return `${part}${end}.csv.gz`;
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection may be gone
    throw error;
  }
}
