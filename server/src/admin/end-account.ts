import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Identity } from '../accounts/identity.ts';
import type { AccountStore } from '../accounts/store/account-store.ts';
import type { Corrections } from '../billing/corrections.ts';
import type { Pool } from '../database/pool.ts';
import { AppError } from '../platform/errors.ts';
import { syncFolder } from '../platform/files/sync-folder.ts';
import { toUsd } from '../platform/money.ts';
import { forgetAccount } from '../requests/store/forget-account.ts';
import type { AccountExport, AccountExports } from '../usage/export/account-export.ts';
import type { ExportedLines } from '../usage/export/export-messages.ts';
import { forgetWebhooks } from '../webhooks/forget-webhooks.ts';

interface EndingDeps {
  readonly pool: Pool;
  readonly accounts: AccountStore;
  readonly identity: Pick<Identity, 'sessions' | 'identities'>;
  readonly corrections: Corrections;
}

/** Everything that an account has, in a file that is not there yet and that only its owner can read. */
export async function exportAccount(
  { accounts, exports }: { accounts: Pick<AccountStore, 'find'>; exports: Pick<AccountExports, 'open'> },
  accountId: string,
  file: string,
) {
  const { id } = await accounts.find(accountId);
  await using opened = await openNew(file); // before the export, which takes the account's turn
  const lines = await exports
    .open(id)
    .then((made) => write(made, opened))
    .catch(async (error: unknown) => {
      await rm(file, { force: true }); // not whole, as on a full disk: it would keep the next export from its name
      throw error;
    });
  await syncFolder(dirname(file)); // who exports often deletes next
  return { account_id: id, file, bytes: (await stat(file)).size, lines };
}

async function openNew(file: string): Promise<FileHandle> {
  return open(file, 'wx', 0o600).catch((cause: Error) => {
    throw new AppError('invalid_request', `${file} cannot be written: ${cause.message}.`, {}, { cause });
  });
}

async function write({ stream, written }: AccountExport, file: FileHandle): Promise<ExportedLines> {
  try {
    await pipeline(stream, file.createWriteStream({ flush: true }));
    return await written;
  } catch (error) {
    await written.catch(() => undefined); // it has given the account's turn back by then
    throw error;
  }
}

/**
 * The end of an account: nobody comes in by it any more, and what its requests read is gone. The ledger and what is left of
 * its requests stay, because the books must add up; what it owes is written off. Again, it does what is left to do.
 */
export async function endAccount({ pool, accounts, identity, corrections }: EndingDeps, accountId: string) {
  const { id } = await accounts.find(accountId);
  await accounts.end(id);
  await corrections.close(id); // who was let in before is not taken in behind what ends the open requests
  await identity.sessions.revokeAll(id);
  await identity.identities.forget(id);
  const { deleted, open } = await forgetAccount(pool, id);
  await forgetWebhooks(pool, id);
  const writtenOff = await corrections.writeOff(id);
  return { account_id: id, requests_deleted: deleted, requests_open: open, written_off_usd: toUsd(writtenOff) };
}
