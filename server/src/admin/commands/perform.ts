import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../database/open.ts';
import { Secrets } from '../../database/secrets/secrets.ts';
import { type Config, readConfig } from '../../platform/config.ts';
import { makeLog } from '../../platform/logging/log.ts';
import { type Admin, openAdmin } from '../admin.ts';

/** Prints what `perform` answers. */
export async function run(...wanted: Parameters<typeof perform<object>>): Promise<void> {
  print(await perform(...wanted));
}

/** `options` are what is written down of a command that changes something; null for one that only looks. */
export async function perform<Answer extends object>(
  action: string,
  options: Readonly<Record<string, unknown>> | null,
  work: (admin: Admin, config: Config) => Promise<Answer>,
): Promise<Answer> {
  const config = readConfig();
  if (isFirstOf(config)) process.stderr.write(`There is no database in ${config.dataDir} yet: an empty one is made.\n`);
  await using database = await openDatabase(config, makeLog('silent'), { share: true });
  await using admin = await openAdmin(database.url, new Secrets(config.secretsKey));
  const act = () => work(admin, config);
  return await (options ? admin.recorded(action, options, act) : act());
}

/** Who is in another folder than the service, or has another `DATA_DIR`, asks an empty database without knowing it. */
function isFirstOf({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl === null && !existsSync(join(dataDir, 'embedded-postgres.json'));
}

/** One JSON object on a line of its own. */
export function print(answer: object): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
