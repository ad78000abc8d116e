import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Audit } from '../accounts/store/audit.ts';
import { LedgerProof } from '../billing/ledger-proof.ts';
import { newLanes } from '../database/batches/lane-batcher.ts';
import { openDatabase, openForRestore } from '../database/open.ts';
import { openPool, type Pool } from '../database/pool.ts';
import { schemaName } from '../database/schema-version.ts';
import { PLAIN_SECRETS, Secrets } from '../database/secrets/secrets.ts';
import type { Config } from '../platform/config.ts';
import { AppError } from '../platform/errors.ts';
import { makeLog } from '../platform/logging/log.ts';
import type { KeySource } from '../platform/settings/key-settings.ts';
import { giveUp } from '../requests/run/give-up.ts';
import { RequestLookup } from '../requests/store/find.ts';
import { SettlementStore } from '../requests/store/settle/settle.ts';
import { WalletRetries } from '../requests/store/wallet-retries.ts';
import { readHeader } from './backup/read-archive.ts';
import { type InFlightChoice, type Restored, restoreBackup } from './backup/restore-backup.ts';
import { type BackupReport, writeBackup } from './backup/write-backup.ts';
import { diagnose } from './doctor.ts';

const log = makeLog('silent');

const WHERE_KEYS_ARE: Readonly<Record<KeySource['kind'], string>> = {
  file: 'The key that opens its secrets is not in it: keep secrets-key.json of DATA_DIR, too, and apart from it.',
  environment: 'The key that opens its secrets is not in it: keep SECRETS_KEY, too, and apart from it.',
  none: 'Its secrets are not encrypted (SECRETS_KEY is not set): who has the file has them.',
};
const KEY_IS_ELSEWHERE =
  'The key that opens its secrets is neither in it nor set here: keep the SECRETS_KEY of the service, too, and apart from it.';

/** Beside a running service, or without one. */
export async function backup(config: Config, out: string | null) {
  const path = resolve(out ?? `ocr-router-backup-${stamp(new Date())}.tar.gz`);
  await using database = await openDatabase(config, log, { share: true, migrates: false });
  const { bytes, schema, rows, header, isSealed }: BackupReport = await writeBackup(database.url, path);
  return {
    file: path,
    bytes,
    rows,
    tables: header.tables.length,
    version: header.version,
    schema,
    created_at: header.created_at,
    in_flight: header.in_flight,
    note: isSealed && config.secretsKey.kind === 'none' ? KEY_IS_ELSEWHERE : WHERE_KEYS_ARE[config.secretsKey.kind],
  };
}

/** Into an empty database, with the proof of the books. */
export async function restore(config: Config, file: string, options: { resume?: boolean; end?: boolean }) {
  const path = resolve(file);
  const choice = await chosen(path, options);
  const secrets = secretsOf(config.secretsKey); // a key file that cannot be read is told of before anything is changed
  await using database = await openForRestore(config, log);
  const restored = await restoreBackup(database.ownerUrl, path, choice);
  const pool = openPool(database.url, { max: 2, log, kind: 'admin' });
  try {
    const ended = await endGivenUp(pool, restored);
    await new Audit(pool).record(
      {
        via: 'command line',
        accountId: null,
        keyId: null,
        action: 'restore',
        subject: null,
        details: { path, choice },
      },
      async () => undefined,
    );
    const doctor = await diagnose({ pool, proof: new LedgerProof(database.url), secrets }, { full: true, fast: true });
    return { ...described(path, choice, restored, ended), doctor, ...missingKey(doctor.checks, config.secretsKey) };
  } finally {
    await pool.end();
  }
}

function described(path: string, choice: InFlightChoice, { header, rows, skippedDeliveries }: Restored, ended: number) {
  const { in_flight, version, created_at, migrations } = header;
  return {
    file: path,
    created_at,
    version,
    schema: schemaName(migrations),
    rows,
    in_flight:
      choice === 'resume'
        ? { choice, requests_resumed: in_flight.requests, deliveries_resumed: in_flight.deliveries }
        : { choice, requests_ended: ended, deliveries_skipped: skippedDeliveries },
  };
}

/** The operator says what becomes of work that was under way: either has consequences outside. */
async function chosen(path: string, { resume, end }: { resume?: boolean; end?: boolean }): Promise<InFlightChoice> {
  if (resume !== end) return resume ? 'resume' : 'end';
  const { in_flight, created_at } = await readHeader(path);
  throw new AppError(
    'invalid_request',
    `When this backup was made (${created_at}), ${in_flight.requests} requests and ${in_flight.deliveries} webhook ` +
      'deliveries were under way. Say what becomes of them: --resume runs the requests again at the next start (their ' +
      'documents go to the engines, paid ones too) and sends the deliveries, although the service that was backed up may ' +
      'have done both since; --end ends the requests without a charge and sends nothing. Nothing was restored.',
  );
}

/** What is left over is ended by the first process that starts. */
async function endGivenUp(pool: Pool, { givenUp }: Restored): Promise<number> {
  const settlements = new SettlementStore(pool, {
    lanes: newLanes(),
    walletRetries: new WalletRetries(),
    onAnnounced: () => undefined,
  });
  const lookup = new RequestLookup(pool);
  const error = new AppError(
    'internal_error',
    'The service was restored from a backup that was made while the request was under way. Nothing was charged.',
  );
  let ended = 0;
  for (const id of givenUp) {
    if (await giveUp(id, error, { lookup, settlements })) ended += 1;
  }
  return ended;
}

/** A key file is not made here: the one that belongs to the backup has to be put there. */
function secretsOf(source: KeySource): Secrets {
  return source.kind === 'file' && !existsSync(source.path) ? PLAIN_SECRETS : new Secrets(source);
}

function missingKey(checks: readonly { name: string; ok: boolean }[], source: KeySource): { note?: string } {
  if (checks.find(({ name }) => name === 'secrets can be opened')?.ok !== false) return {};
  const remedy =
    source.kind === 'file'
      ? `put the secrets-key.json of the service that was backed up at ${source.path}`
      : 'set SECRETS_KEY to the key of the service that was backed up';
  return { note: `The secrets cannot be opened with the key that is here: before a start, ${remedy}.` };
}

function stamp(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, '');
}
