import { createHash } from 'node:crypto';
import { LOOPBACK } from '../system/free-port.ts';

export interface ServerOptions {
  readonly directory: string;
  /** What the server's processes are called in their titles. */
  readonly label: string;
  readonly durable: boolean;
  /** PostgreSQL's version. */
  readonly version: string;
}

/** What the supervision and the safety of the data rely on: set at each start, whatever the cluster's own files say. */
export function serverSettings(options: ServerOptions): Record<string, string> {
  const settings = {
    listen_addresses: LOOPBACK,
    // A socket's path has a length limit that a data folder may exceed, and its file outlives a crash.
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    // Statements and details of errors hold rows, which may be anything.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    fsync: onOff(options.durable),
    full_page_writes: onOff(options.durable),
    synchronous_commit: onOff(options.durable),
  };
  // Tells a running server's version and settings: one that was started with others is not adopted.
  const fingerprint = hash(JSON.stringify([options.version, settings]));
  return { ...settings, cluster_name: `${options.label} ${directoryTag(options.directory)} ${fingerprint}` };
}

/** What tells the folder in the titles of its server's processes, which every user may read. */
export function directoryTag(directory: string): string {
  return hash(directory);
}

/** Written into postgresql.conf when the cluster is made: the operator may change them there. */
export const INITIAL_SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '100',
  shared_buffers: '128MB',
  wal_compression: 'on',
  random_page_cost: '1.1',
  // The statements are short; the cores are for the program.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Each would be a process that waits.
  io_method: 'sync',
  max_logical_replication_workers: '0',
};

/** The settings as arguments of a PostgreSQL program. */
export function asArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function onOff(on: boolean): string {
  return on ? 'on' : 'off';
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
