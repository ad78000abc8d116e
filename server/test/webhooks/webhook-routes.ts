import { expect } from 'vitest';
import { readContract } from '../../../test/contract/resolved-contract.ts';
import type { DeliveryAnswer, ListAnswer, WebhookAnswer } from '../../../test/house/answers.ts';
import { Caller, type Reply } from '../../../test/house/caller.ts';
import { type Listening, listen } from '../../../test/house/listen.ts';
import { WebhookReceiver } from '../../../test/house/webhook-receiver.ts';
import { requireSession, type Caller as Who } from '../../src/accounts/callers/caller.ts';
import { makeSchema } from '../../src/graphql/schema.ts';
import { makeLog } from '../../src/platform/logging/log.ts';
import { BODY_TIMES, FORM_BODY_BYTES } from '../../src/rest/body/body-limits.ts';
import { KeptBodies } from '../../src/rest/body/kept-bodies.ts';
import { BodyReader } from '../../src/rest/body/read-body.ts';
import { BodyReceiver } from '../../src/rest/body/receive-body.ts';
import { compileContract } from '../../src/rest/contract/compile-contract.ts';
import { readDocuments } from '../../src/rest/documents.ts';
import { Facade } from '../../src/rest/facade.ts';
import { WebhooksResolver } from '../../src/webhooks/webhooks.resolver.ts';
import { PostOffice } from './post-office.ts';

/** A public address that nobody calls. */
export const HOOK_URL = 'https://hooks.example.com/ocr';

/** The webhook routes over a post office at work. Who is logged in is the test's to say: cookies are another's part. */
export class WebhookRoutes implements AsyncDisposable {
  readonly office: PostOffice;
  readonly receiver: WebhookReceiver;
  /** Who calls. */
  who: Who | null = null;
  #server: Listening | undefined;

  private constructor(office: PostOffice, receiver: WebhookReceiver) {
    this.office = office;
    this.receiver = receiver;
  }

  static async open(): Promise<WebhookRoutes> {
    const routes = new WebhookRoutes(await PostOffice.open(), await WebhookReceiver.start());
    const facade = await openFacade(routes.office);
    routes.#server = await listen((req, res) => void facade.handle(req, res, routes.who));
    routes.office.startJob();
    return routes;
  }

  /** Logs in to a new account, and answers its id and its own secret. */
  async login(): Promise<{ accountId: string; secret: string }> {
    const account = await this.office.account();
    this.who = loggedIn(account.accountId);
    return account;
  }

  /** A call, with a JSON body where one is given. */
  send<T>(method: string, path: string, body?: unknown): Promise<Reply<T>> {
    const caller = new Caller(this.#server?.url ?? '');
    if (body === undefined) return caller.call<T>(method, path);
    const headers = { 'content-type': 'application/json' };
    return caller.call<T>(method, path, { headers, body: JSON.stringify(body) });
  }

  async create(body: unknown = { url: HOOK_URL }): Promise<WebhookAnswer> {
    const reply = await this.send<WebhookAnswer>('POST', '/api/webhooks', body);
    expect(reply.status, reply.text).toBe(201);
    return reply.body;
  }

  async list(): Promise<WebhookAnswer[]> {
    const { status, body } = await this.send<ListAnswer<WebhookAnswer>>('GET', '/api/webhooks');
    expect({ status, object: body.object }).toEqual({ status: 200, object: 'list' });
    return body.data;
  }

  async deliveries(id: string): Promise<DeliveryAnswer[]> {
    const { status, body } = await this.send<ListAnswer<DeliveryAnswer>>('GET', `/api/webhooks/${id}/deliveries`);
    expect({ status, object: body.object }).toEqual({ status: 200, object: 'list' });
    return body.data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    await this.office[Symbol.asyncDispose]();
    await this.receiver[Symbol.asyncDispose]();
  }
}

/** Someone who is logged in to an account, or came with a key of it. */
export function loggedIn(accountId: string, via: Who['via'] = 'session'): Who {
  return { accountId, keyId: '', scopes: ['ocr:write', 'ocr:read', 'usage:read'], tier: 'free', history: true, via };
}

const receiver = new BodyReceiver({ totalBytes: 48 * 1024 * 1024, ...BODY_TIMES }, { hasOthers: () => false });

async function openFacade(office: PostOffice): Promise<Facade<Who | null>> {
  const contract = readContract('dashboard');
  const paths = Object.entries(contract['paths'] as object).filter(([path]) => path.startsWith('/api/webhooks')); // it has paths
  const schema = makeSchema([new WebhooksResolver(office.registrations, office.log, office.limiter)]);
  return new Facade<Who | null>({
    reads: { run: (_caller, _res, work) => work() },
    authorise: (caller) => void requireSession(caller),
    renew: async (caller) => caller,
    context: ({ caller }) => ({ caller }),
    contract: await compileContract({ ...contract, paths: Object.fromEntries(paths) }),
    schema,
    documents: readDocuments('operations/dashboard'),
    bodies: new BodyReader(receiver, {
      limitBytes: FORM_BODY_BYTES,
      accountOf: () => null,
      partyOf: () => 'everybody',
      kept: new KeptBodies(2 ** 30),
    }),
    onRefusal: () => undefined,
    slowResponseMs: 60_000,
    slowResponseBeatMs: 60_000,
    log: makeLog('silent'),
  });
}
