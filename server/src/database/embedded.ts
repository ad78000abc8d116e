import {
  connectOrStartPostgres,
  type EmbeddedPostgres,
  type PostgresOptions,
  startPostgres,
} from '@ocr-router/embedded-postgres';
import { EmbeddedPostgresError, type EmbeddedPostgresProblem } from '@ocr-router/embedded-postgres/error';
import { SettingError } from '../platform/settings/setting-error.ts';

/** Names as existing data folders have them. */
export const NAMES = { database: 'ocr_router', service: 'ocr_router_service', program: 'ocr-router' } as const;
const PRODUCT = { names: NAMES, appendOnly: ['ledger_transfer'] };

export type EmbeddedOptions = Omit<PostgresOptions, keyof typeof PRODUCT>;

/** Starts the PostgreSQL of `DATA_DIR` and keeps it running. Throws when another process has it. */
export function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  return startPostgres({ ...options, ...PRODUCT }).catch(adviseOperator);
}

/** Joins the PostgreSQL that a living process runs, or starts one until it is stopped: for commands beside the service. */
export function connectOrStartEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  return connectOrStartPostgres({ ...options, ...PRODUCT }).catch(adviseOperator);
}

/** Advice to the operator about each problem; follows the sentence that names the problem. */
const ADVICE: Readonly<Record<EmbeddedPostgresProblem, string>> = {
  in_use: ': stop that one first, or set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL of your own.',
  record_unreadable: ': run as that user, or choose another DATA_DIR.',
  other_major_version:
    ': with the version that you had before, run `ocr-router admin backup --out FILE`, then with this one ' +
    '`ocr-router admin restore FILE --resume` into an empty DATA_DIR (docs/upgrading.md); in a checkout `npm run admin --` stands for ' +
    '`ocr-router admin`.',
  unsupported_platform: ': set DATABASE_URL.',
  not_installed: ': run npm ci without --omit=optional, or set DATABASE_URL.',
  no_system_user: '. Start as an ordinary user, or set DATABASE_URL.',
  no_shared_folder: '. Start as an ordinary user, or set DATABASE_URL.',
  not_runnable: '. Set DATABASE_URL to use a PostgreSQL of your own.',
};

function adviseOperator(error: unknown): never {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  throw new SettingError(error.message + ADVICE[error.problem], { cause: error });
}
