import type { Caller as Who } from '../../server/src/accounts/caller.ts';
import { requireSession } from '../../server/src/accounts/caller.ts';
import { makeSchema } from '../../server/src/graphql/schema.ts';
import { makeLog } from '../../server/src/log.ts';
import { openContract } from '../../server/src/rest/contract.ts';
import { readDocuments } from '../../server/src/rest/documents.ts';
import { Facade } from '../../server/src/rest/facade.ts';
import { BodyReader } from '../../server/src/rest/read-body.ts';
import { WebhooksResolver } from '../../server/src/webhooks/webhooks.resolver.ts';
import { readContract } from '../contract/resolved-contract.ts';
import { Caller } from './caller.ts';
import { type Listening, listen } from './listen.ts';
import type { PostOffice } from './post-office.ts';

/** The webhook routes over a post office, for whoever the test says is logged in: the cookie is another's part. */
export class WebhookRoutes implements AsyncDisposable {
  readonly caller: Caller;
  readonly #server: Listening;

  private constructor(server: Listening) {
    this.#server = server;
    this.caller = new Caller(server.url);
  }

  /** `who` is asked at each call. */
  static async open(office: PostOffice, who: () => Who | null): Promise<WebhookRoutes> {
    const contract = readContract('dashboard.yaml');
    const paths = Object.entries(contract['paths'] as object).filter(([path]) => path.startsWith('/api/webhooks'));
    const schema = makeSchema([new WebhooksResolver(office.registrations, office.log)]);
    const facade = new Facade({
      authorise: (caller) => void requireSession(caller as Who | null),
      context: (caller) => ({ caller }),
      api: await openContract({ ...contract, paths: Object.fromEntries(paths) }),
      schema,
      documents: readDocuments(schema, 'operations/dashboard'),
      bodies: new BodyReader(),
      slowResponseMs: 60_000,
      slowResponseBeatMs: 60_000,
      log: makeLog('silent'),
    });
    return new WebhookRoutes(await listen((req, res) => void facade.handle(req, res, who())));
  }

  /** A call with a JSON body. */
  send<T>(method: string, path: string, body?: unknown) {
    if (body === undefined) return this.caller.call<T>(method, path);
    const headers = { 'content-type': 'application/json' };
    return this.caller.call<T>(method, path, { headers, body: JSON.stringify(body) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

/** Someone who is logged in to an account, or came with a key of it. */
export function loggedIn(accountId: string, via: Who['via'] = 'session'): Who {
  return { accountId, keyId: '', scopes: ['ocr:write', 'ocr:read', 'usage:read'], tier: 'free', history: true, via };
}
