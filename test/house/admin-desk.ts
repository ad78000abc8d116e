import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { Secrets } from '../../server/dist/database/secrets/secrets.js';

type BuiltAdmin = Awaited<ReturnType<typeof import('../../server/dist/admin/admin.js')['openAdmin']>>;

/** `POST /admin`: whose commands are asked for. */
export interface AdminWish {
  readonly databaseUrl: string;
  /** SECRETS_KEY and SECRETS_KEY_PREVIOUS; none for secrets that are not encrypted. */
  readonly secretsKeys: readonly string[];
}

/** `POST /admin/{id}/{method}`: the arguments of one command; an URL stands as an object. */
export type AdminArguments = readonly ({ readonly href: string } | unknown)[];

export interface AdminFailure {
  readonly message: string;
  readonly code: unknown;
}

/**
 * The operator's commands of the built product, opened for one database after the other in the process that runs the
 * tests: a test file of its own would load the whole server for the sake of one account.
 */
export class AdminDesk implements AsyncDisposable {
  readonly #open = new Map<string, BuiltAdmin>();

  /** Answers what begins with `/admin`. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, , id = '', method = ''] = (request.url ?? '').split('/');
    try {
      response.end(JSON.stringify((await this.#carryOut(request, id, method)) ?? null));
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown };
      response.writeHead(500).end(JSON.stringify({ message, code } satisfies AdminFailure));
    }
  }

  async #carryOut(request: IncomingMessage, id: string, method: string): Promise<unknown> {
    if (id === '') return this.#openFor((await json(request)) as AdminWish); // sent by `admin.ts`
    if (request.method === 'DELETE') return this.#close(id);
    const admin = this.#open.get(id);
    if (!admin) throw new Error(`the admin ${id} is not open`);
    const work = Reflect.get(admin, method) as (...given: readonly unknown[]) => Promise<unknown>;
    return work.apply(admin, ((await json(request)) as AdminArguments).map(revived));
  }

  async #openFor({ databaseUrl, secretsKeys }: AdminWish): Promise<string> {
    const { openAdmin } = await import('../../server/dist/admin/admin.js');
    const [current, previous] = secretsKeys.map((text) => Buffer.from(text, 'base64'));
    const secrets = current && new Secrets({ kind: 'environment', current, previous: previous ?? null, file: null });
    const id = randomUUID();
    this.#open.set(id, await openAdmin(databaseUrl, secrets));
    return id;
  }

  async #close(id: string): Promise<void> {
    const admin = this.#open.get(id);
    this.#open.delete(id);
    await admin?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.#open.keys()]) await this.#close(id);
  }
}

function revived(argument: AdminArguments[number]): unknown {
  const isUrl = typeof argument === 'object' && argument !== null && 'href' in argument;
  return isUrl ? new URL(String(argument.href)) : argument;
}
