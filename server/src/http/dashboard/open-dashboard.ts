import type { RequestListener } from 'node:http';
import contracts from '#contracts';
import { NoLogin, requireSession } from '../../accounts/callers/caller.ts';
import type { Context } from '../../accounts/callers/context.ts';
import { hangUpOf } from '../../accounts/callers/hang-up.ts';
import type { Identity } from '../../accounts/identity.ts';
import type { OpenedDocuments } from '../../documents/open-documents.ts';
import type { ReadTurns } from '../../platform/concurrency/read-turns.ts';
import type { Config } from '../../platform/config.ts';
import type { OpenedRequests } from '../../requests/open-requests.ts';
import { DOCUMENT_BODY_BYTES, FORM_BODY_BYTES } from '../../rest/body/body-limits.ts';
import { servedBy } from '../../rest/contract/contract.ts';
import { readDocuments } from '../../rest/documents.ts';
import { Facade } from '../../rest/facade.ts';
import { accountOf } from '../calls/locals.ts';
import type { Calls } from '../calls/open-calls.ts';
import { type Renewed, renewLocals } from '../calls/renewed-caller.ts';
import { authoriseVisitor, type DashboardDeps, makeDashboard, type Visitor } from './dashboard.ts';
import { renewedLogin } from './identify.ts';

/** Most bytes of a GraphQL call: no document is sent this way. */
const GRAPHQL_BYTES = 1024 * 1024;

export interface OpenDashboardDeps
  extends Pick<
      DashboardDeps,
      'authenticator' | 'limiter' | 'anonymous' | 'signUp' | 'graphql' | 'exports' | 'onRefusal' | 'log'
    >,
    Pick<OpenedDocuments, 'documents'>,
    Pick<OpenedRequests, 'requireOwnDocument'> {
  readonly calls: Calls;
  readonly identity: Pick<Identity, 'sessions' | 'loginEndpoint' | 'openId'>;
  readonly reads: ReadTurns;
}

/** Makes the listener of the dashboard's address, with the facade of its contract. */
export function openDashboard(config: Config, deps: OpenDashboardDeps): RequestListener {
  const { calls, identity, documents, requireOwnDocument } = deps;
  const { sessions, loginEndpoint, openId } = identity;
  const renewed: Renewed = (_req, visitor) => renewedLogin(sessions, visitor);
  const renew = renewLocals(renewed, requireSession);
  const onRefused: DashboardDeps['onRefused'] = (error, res, from) => {
    if (!(error instanceof NoLogin)) calls.noteRefused(error, res, from);
  };
  return makeDashboard({
    ...deps,
    ...{ sessions, loginEndpoint, openId },
    dashboardUrl: config.dashboardUrl,
    facade: facadeOf(deps, renewed, onRefused),
    graphqlBody: calls.graphqlBody(GRAPHQL_BYTES, renew),
    onRefused,
    fileTurns: calls.fileTurns,
    pagePictures: {
      documents,
      receive: async (req, res) => {
        calls.requireReadiness();
        const onLate = () => renew(req, res);
        return calls.receiveDocument(req, accountOf(res), { mostBytes: DOCUMENT_BODY_BYTES, onLate });
      },
      requireOwnDocument,
    },
    api: { url: config.apiUrl, port: config.port },
    trustedProxies: config.trustedProxies,
    watchAnswer: calls.watchAnswer,
  });
}

function facadeOf(
  { calls, reads }: OpenDashboardDeps,
  renewed: Renewed,
  onRefused: DashboardDeps['onRefused'],
): Facade<Visitor> {
  const documents = readDocuments('operations/dashboard');
  return new Facade<Visitor>({
    ...calls.answering,
    reads: { run: ({ caller }, res, work) => reads.run(caller?.accountId ?? null, hangUpOf(res), work) },
    authorise: authoriseVisitor,
    renew: async (visitor, req) => ({ ...visitor, caller: await renewed(req, visitor) }),
    context: ({ caller: visitor }): Context => ({ ...visitor }),
    onRefused: (error, res, { caller: { caller }, body }) => onRefused(error, res, { caller, body }),
    contract: servedBy(contracts.dashboard, documents),
    documents,
    bodies: calls.bodyReader({
      limitBytes: FORM_BODY_BYTES,
      accountOf: ({ caller }) => caller?.accountId ?? null,
      requireReadiness: calls.requireReadiness,
    }),
  });
}
