import { mkdirSync } from 'node:fs';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { connectOrStartEmbedded, startEmbedded } from './embedded.ts';
import { migrate } from './orm.ts';

export interface Database extends AsyncDisposable {
  readonly url: string;
}

/**
 * The database, migrated: the one of `DATABASE_URL`, or the embedded one below `DATA_DIR`. `share` joins an embedded
 * one that another process of this folder runs, for commands beside a running server.
 */
export async function openDatabase(config: Config, log: Log, options: { share?: boolean } = {}): Promise<Database> {
  if (config.databaseUrl !== null) {
    await migrate(config.databaseUrl);
    return { url: config.databaseUrl, [Symbol.asyncDispose]: async () => undefined };
  }
  mkdirSync(config.dataDir, { recursive: true });
  const start = options.share ? connectOrStartEmbedded : startEmbedded;
  const embedded = await start({ dataDir: config.dataDir, log });
  try {
    await migrate(embedded.url);
  } catch (error) {
    await embedded.stop();
    throw error;
  }
  return { url: embedded.url, [Symbol.asyncDispose]: () => embedded.stop() };
}
