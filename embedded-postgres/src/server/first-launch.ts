import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../folder/cluster.ts';
import { freePort } from '../system/free-port.ts';
import { isOurServer } from './connection.ts';
import { LaunchError, launch, type Server } from './launch.ts';
import { endPostmaster, type FoundPostmaster, findPostmaster, waitUntil } from './postmaster.ts';

const SECOND = 1000;
const TRIES = 20;

/** The server that a killed owner left running, where it is in order; one that is not is ended. */
export async function adoptable(cluster: Cluster): Promise<FoundPostmaster | null> {
  const { directory, native, log } = cluster;
  const isSettled = () => (findPostmaster(directory)?.status ?? 'ready') === 'ready';
  await waitUntil(isSettled, 60 * SECOND);
  const found = findPostmaster(directory);
  if (!found) return null;
  if (await isOurServer(cluster, found.port)) {
    log.info({ pid: found.pid, port: found.port }, 'adopted the postgres that a killed process left running');
    return found;
  }
  log.warn({ pid: found.pid, directory }, 'ending a postgres that was left running and is not usable as it is');
  await endPostmaster(found, native);
  return null;
}

/** Starts the server on the preferred port, or on another one where that is taken; returns the port. */
export async function firstLaunch(
  cluster: Cluster,
  options: { preferredPort: number; onSpawn: (server: Server) => void },
): Promise<number> {
  let port = await freePort(options.preferredPort);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await launch(cluster, { port, onSpawn: options.onSpawn });
      if (port !== options.preferredPort)
        cluster.log.warn({ port, taken: options.preferredPort }, 'postgres got another port');
      return port;
    } catch (error) {
      if (!(error instanceof LaunchError) || error.reason === 'other' || attempt === TRIES) throw error;
      cluster.log.warn({ attempt, reason: error.message }, 'postgres is started once more');
      if (error.reason === 'port') port = await freePort();
      await sleep(Math.min(attempt * 100, SECOND));
    }
  }
}
