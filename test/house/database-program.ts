import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { endProcess, hasEnded } from './end-process.ts';
import { until } from './until.ts';

interface Started {
  /** How messages call it. */
  readonly name: string;
  /** A database that it answers for. */
  readonly url: string;
  readonly child: ChildProcess;
  /** Removed at the end. */
  readonly folder: string;
  readonly endBy: NodeJS.Signals;
}

/** A program of a test's own that answers as PostgreSQL does, and the folder that it works in. */
export class DatabaseProgram implements AsyncDisposable {
  readonly #started: Started;

  private constructor(started: Started) {
    this.#started = started;
  }

  /** Waits until it answers; `said` is added to the message where it ends instead. */
  static async ready(started: Started, said: () => string = () => ''): Promise<DatabaseProgram> {
    const { name, url, child } = started;
    await until(`${name} answers`, async () => {
      if (hasEnded(child))
        throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode} ${said()}`.trimEnd());
      return answers(url);
    });
    return new DatabaseProgram(started);
  }

  get url(): string {
    return this.#started.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { child, folder, endBy } = this.#started;
    await endProcess(child, { signal: endBy });
    await rm(folder, { recursive: true, force: true });
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined); // the query rejects
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
