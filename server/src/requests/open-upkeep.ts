import type { Connections } from '../database/connections.ts';
import { MonthParts } from '../database/months/months.job.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/logging/log.ts';
import type { Job } from '../platform/slice.ts';
import { MonthArchive } from './archive/archive.job.ts';
import { IdempotencyKeyCopy } from './upkeep/copy-keys.job.ts';
import { TextExpiry } from './upkeep/expiry.job.ts';
import { TextPurge } from './upkeep/purge.job.ts';

export interface UpkeepDeps {
  readonly connections: Pick<Connections, 'hot' | 'background' | 'url'>;
  /** The database's URL, with the role that owns the tables. */
  readonly ownerUrl: string;
  /** Called with the number of requests whose expired texts were deleted. */
  readonly onTextsExpired: (requests: number) => void;
  /** Called with a table, and how many of its rows were moved to a file. */
  readonly onArchived: (table: string, rows: number) => void;
  readonly log: Log;
}

/** Opens the jobs that look after requests that have ended. `stack` disposes of them. */
export function openUpkeep(
  { archive: settings }: Pick<Config, 'archive'>,
  { connections, ownerUrl, onTextsExpired, onArchived, log }: UpkeepDeps,
  stack: AsyncDisposableStack,
): Job[] {
  const { hot, background, url } = connections;
  const expiry = stack.use(new TextExpiry(hot, { log, onExpired: onTextsExpired }));
  const purge = stack.use(new TextPurge(hot, log));
  const keyCopy = stack.use(new IdempotencyKeyCopy(background, log));
  const months = stack.use(new MonthParts({ url, pool: background, log }));
  const archive = settings && stack.use(new MonthArchive({ ownerUrl, settings, log, onArchived }));
  return [months, purge, expiry, keyCopy, ...(archive ? [archive] : [])];
}
