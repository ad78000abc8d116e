import { resolve } from 'node:path';
import type { Log } from '../log.ts';
import type { Names } from '../names.ts';
import type { Native } from '../programs/native.ts';
import type { SystemUser } from '../system/system-user.ts';
import type { ClusterRecord } from './cluster-record.ts';

/** A database folder that is there, and all that starting its server takes. */
export interface Cluster {
  readonly dataDir: string;
  readonly directory: string;
  readonly names: Names;
  /** Tables that only grow: the service's role may add to them and no more. */
  readonly appendOnly: readonly string[];
  readonly record: ClusterRecord & { readonly servicePassword: string };
  readonly native: Native;
  readonly user: SystemUser | null;
  readonly durable: boolean;
  readonly log: Log;
}

export function clusterDirectory(dataDir: string, record: ClusterRecord): string {
  return resolve(dataDir, record.directory);
}
