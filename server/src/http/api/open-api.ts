import type { IncomingMessage, RequestListener } from 'node:http';
import contracts from '#contracts';
import { type Caller, requireCaller, requireScope } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { hangUpOf } from '../../accounts/callers/hang-up.ts';
import { isScope } from '../../accounts/model/scopes.ts';
import type { ReadTurns } from '../../platform/concurrency/read-turns.ts';
import type { Config } from '../../platform/config.ts';
import type { Shutdown } from '../../platform/shutdown.ts';
import type { OpenedRequests } from '../../requests/open-requests.ts';
import type { FileFormat } from '../../requests/output/output-format.ts';
import { DOCUMENT_BODY_BYTES } from '../../rest/body/body-limits.ts';
import { readContract } from '../../rest/contract/contract.ts';
import { readDocuments } from '../../rest/documents.ts';
import { Facade } from '../../rest/facade.ts';
import { outputHooks } from '../../rest/operations/outputs.ts';
import type { Calls } from '../calls/open-calls.ts';
import { type Renewed, renewedByKey, renewLocals } from '../calls/renewed-caller.ts';
import { type ApiDeps, makeApi } from './api.ts';
import { makePages } from './pages.ts';

/** Most bytes of a GraphQL call: a variable may be a document. */
const GRAPHQL_BYTES = 11 * 1024 * 1024;

/** Those that this function makes are left out. */
export interface OpenApiDeps
  extends Omit<
      ApiDeps,
      'facade' | 'graphqlBody' | 'pages' | 'fileTurns' | 'requireReadiness' | 'watchAnswer' | 'onRefused'
    >,
    Pick<OpenedRequests, 'pressure' | 'isBound' | 'outputs'> {
  readonly calls: Calls;
  readonly reads: ReadTurns;
  readonly shutdown: Pick<Shutdown, 'requireRunning'>;
}

/** Makes the listener of the API's address, with the facade of the public contract. */
export function openApi(config: Config, deps: OpenApiDeps): RequestListener {
  const { calls, authenticator, addressOf, shutdown, pressure, isBound } = deps;
  const renewed = renewedByKey(authenticator, addressOf);
  /** Lets in a call under a key that is bound even while memory is short: it only repeats what there is. */
  const requireReadiness = async (req: IncomingMessage, { accountId }: Caller) => {
    shutdown.requireRunning();
    try {
      pressure.requireMemory();
    } catch (error) {
      const key = req.headers['idempotency-key'];
      if (typeof key !== 'string' || !(await isBound(accountId, key))) throw error;
    }
  };
  return makeApi({
    ...deps,
    facade: facadeOf(config, deps, renewed),
    graphqlBody: calls.graphqlBody(GRAPHQL_BYTES, renewLocals(renewed, requireCaller)),
    pages: makePages(readContract()),
    fileTurns: calls.fileTurns,
    requireReadiness,
    watchAnswer: calls.watchAnswer,
    onRefused: (error, res, { caller, engine }) => calls.noteRefused(error, res, { caller, body: { engine } }),
  });
}

function facadeOf(config: Config, { calls, reads, outputs }: OpenApiDeps, renewed: Renewed): Facade<Caller | null> {
  return new Facade<Caller | null>({
    ...calls.answering,
    reads: { run: (caller, res, work) => reads.run(accountIdOf(caller), hangUpOf(res), work) },
    onRefused: calls.noteRefused,
    authorise,
    renew: (caller, req) => renewed(req, { caller }),
    context: ({ caller, onRequest, documents }, res): Context => ({
      ...{ caller, onRequest, hangUp: hangUpOf(res) },
      ...(documents && { sentDocuments: documents }),
    }),
    contract: contracts.openapi,
    documents: readDocuments(),
    hooks: outputHooks<Caller | null>({
      open: (wish, document) => outputs.open({ ...wish, format: wish.format as FileFormat }, document), // by the contract
      receive: (req, { caller, onLate }) =>
        calls.receiveDocument(req, accountIdOf(caller), { mostBytes: config.maxDocumentBytes, onLate }),
    }),
    bodies: calls.bodyReader({ limitBytes: DOCUMENT_BODY_BYTES, accountOf: accountIdOf }),
  });
}

/** Applies the contract's rule for an operation: the scope that it names, or else a key. */
function authorise(caller: Caller | null, scope: string | null): void {
  if (scope !== null && isScope(scope)) requireScope(caller, scope);
  else requireCaller(caller);
}

function accountIdOf(caller: Caller | null): string | null {
  return caller?.accountId ?? null;
}
