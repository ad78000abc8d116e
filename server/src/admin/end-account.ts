import { open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Identity } from '../accounts/identity.ts';
import type { AccountStore } from '../accounts/store/account-store.ts';
import type { Corrections } from '../billing/corrections.ts';
import type { Pool } from '../database/pool.ts';
import { syncFolder } from '../platform/files/sync-folder.ts';
import { toUsd } from '../platform/money.ts';
import { forgetAccount } from '../requests/store/forget-account.ts';
import type { AccountExports } from '../usage/export/account-export.ts';
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
  const { stream, written } = await exports.open(id);
  await writeWhole(stream, file);
  await syncFolder(dirname(file)); // who exports often deletes next
  const lines = await written;
  return { account_id: id, file, bytes: (await stat(file)).size, lines };
}

/** A file that could not be written to its end, as on a full disk, does not stay: it would keep the next export from its name. */
async function writeWhole(stream: Readable, file: string): Promise<void> {
  const opened = await open(file, 'wx', 0o600).catch((error: Error) => {
    stream.destroy(); // it holds a connection, and the account's turn
    throw error;
  });
  try {
    await pipeline(stream, opened.createWriteStream({ flush: true }));
  } catch (error) {
    await rm(file, { force: true });
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
