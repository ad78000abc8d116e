/** An entry of the service: its line in the help, and how it is begun. */
interface Entry {
  readonly description: string;
  /** Set where the entry takes no arguments: its settings are environment variables. */
  readonly takesNothing?: true;
  begin(argv: readonly string[]): Promise<void>;
}

/** Runs a command of the service's operator, which reads `process.argv` itself. */
async function admin(argv: readonly string[]): Promise<void> {
  process.argv = [...argv];
  await import('@ocr-router/server/dist/admin/main.js');
}

/** Commands of the service itself. They need no gateway elsewhere; the service's settings are environment variables. */
export const ENTRIES: Readonly<Record<string, Entry>> = {
  serve: {
    description: 'runs the service, everything in one process',
    takesNothing: true,
    begin: async () => void (await import('@ocr-router/server/dist/main.js')),
  },
  api: {
    description: 'runs its API, with DATABASE_URL and REDIS_URL',
    takesNothing: true,
    begin: async () => void (await import('@ocr-router/server/dist/api.js')),
  },
  worker: {
    description: 'runs a worker, with DATABASE_URL and REDIS_URL',
    takesNothing: true,
    begin: async () => void (await import('@ocr-router/server/dist/worker.js')),
  },
  migrate: { description: 'brings the schema of the database up to date', begin: admin },
  doctor: { description: 'checks the database and the ledger', begin: admin },
  backup: { description: 'everything that the database holds, in one file', begin: admin },
  restore: { description: 'a backup into an empty database', begin: admin },
  admin: {
    description: 'the other commands of an operator; `admin --help` lists them',
    begin: ([node = '', script = '', , ...rest]) => admin([node, script, ...rest]),
  },
};

/** How the command is begun; null where it is no entry, or has more arguments than it takes, such as `--help`. */
export function entryOf([, , name, ...more]: readonly string[]): Entry['begin'] | null {
  const entry = name !== undefined && Object.hasOwn(ENTRIES, name) ? ENTRIES[name] : undefined;
  return !entry || (entry.takesNothing && more.length > 0) ? null : entry.begin;
}
