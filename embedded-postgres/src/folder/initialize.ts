import { randomUUID } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { runProgram } from '../programs/run-program.ts';
import type { Cluster } from './cluster.ts';
import { asArguments, INITIAL_SETTINGS } from './server-settings.ts';

/** Makes an empty database folder. It gets its name last, so that a folder of that name is always complete. */
export async function initialize(cluster: Cluster): Promise<void> {
  const { directory, user, native, log } = cluster;
  await removeDrafts(directory);
  const draft = `${directory}.new-${randomUUID()}`;
  const passwordFile = `${draft}.password`;
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, cluster.record.password, { mode: 0o600 });
  if (user) for (const path of [draft, passwordFile]) await chown(path, user.uid, user.gid);
  try {
    const startedAt = performance.now();
    const { code, output } = await runProgram({
      native,
      user,
      name: 'initdb',
      args: initArguments(cluster, draft, passwordFile),
    });
    if (code !== 0) throw new Error(`The database could not be made in ${directory}: ${output.trim()}`);
    await rename(draft, directory);
    log.info({ directory, uid: user?.uid, ms: Math.round(performance.now() - startedAt) }, 'database folder made');
  } finally {
    await removeDrafts(directory);
  }
}

// PostgreSQL's own locale knows Unicode and sorts by code point on every system, also after the system's upgrade.
function initArguments(cluster: Cluster, draft: string, passwordFile: string): string[] {
  return [
    `--pgdata=${draft}`,
    `--username=${cluster.names.database}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(cluster.durable ? [] : ['--no-sync']),
    ...asArguments(INITIAL_SETTINGS),
  ];
}

// What a start that was killed left behind.
async function removeDrafts(directory: string): Promise<void> {
  const parent = dirname(directory);
  const drafts = (await readdir(parent)).filter((name) => name.startsWith(`${basename(directory)}.new-`));
  for (const name of drafts) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 });
}
