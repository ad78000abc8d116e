import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Registry } from '@prometheus-io/client';
import contracts from '#contracts';
import { type Caller, NoLogin, requireCaller, requireScope, requireSession } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import { hangUpOf } from '../accounts/callers/hang-up.ts';
import { isScope } from '../accounts/model/scopes.ts';
import type { OpenedAccounts } from '../accounts/open-accounts.ts';
import type { OpenedDocuments } from '../documents/open-documents.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { OpenedEngines } from '../engines/open-engines.ts';
import type { OpenedGraphql } from '../graphql/open-graphql.ts';
import { apiVisitor } from '../graphql/sockets/socket-visitor.ts';
import type { UpgradeListener } from '../graphql/sockets.ts';
import type { OpenedMonitoring } from '../monitoring/open-monitoring.ts';
import { addressBucket } from '../platform/address-bucket.ts';
import type { ActiveParties } from '../platform/concurrency/active-parties.ts';
import type { ReadTurns } from '../platform/concurrency/read-turns.ts';
import type { Config } from '../platform/config.ts';
import type { AppError, ErrorCode } from '../platform/errors.ts';
import type { Log } from '../platform/logging/log.ts';
import type { RefusedCall } from '../platform/refused-call.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import { VERSION } from '../platform/version.ts';
import type { OpenedRequests } from '../requests/open-requests.ts';
import type { FileFormat } from '../requests/output/output-format.ts';
import { graphqlBody } from '../rest/body/graphql-body.ts';
import { KeptBodies } from '../rest/body/kept-bodies.ts';
import { BodyReader, receiveFile } from '../rest/body/read-body.ts';
import {
  BODY_TIMES,
  BodyReceiver,
  DOCUMENT_BODY_BYTES,
  FORM_BODY_BYTES,
  type Receiving,
} from '../rest/body/receive-body.ts';
import { readContract, servedBy } from '../rest/contract/contract.ts';
import { readDocuments } from '../rest/documents.ts';
import { Facade, type FacadeDeps } from '../rest/facade.ts';
import { outputHooks } from '../rest/operations/outputs.ts';
import type { OpenedUsage } from '../usage/open-usage.ts';
import { makeApi } from './api/api.ts';
import { makeMetrics, metricsHandler } from './api/metrics.ts';
import { makePages } from './api/pages.ts';
import { makeMetricsListener, makeProbeListener } from './api/probes.ts';
import { partiesBy } from './calls/body-party.ts';
import { FileTurns } from './calls/file-turns.ts';
import { accountOf } from './calls/locals.ts';
import { refusedCallOf } from './calls/refused-call-of.ts';
import { type Renewed, renewedByKey, renewLocals } from './calls/renewed-caller.ts';
import { UnreadAnswers } from './calls/unread-answers.ts';
import type { WatchAnswer } from './calls/watch-answers.ts';
import { authoriseVisitor, makeDashboard, type Visitor } from './dashboard/dashboard.ts';
import { renewedLogin } from './dashboard/identify.ts';
import { dashboardVisitor } from './dashboard/socket-visitor.ts';

/** Most bytes of a GraphQL call. At the API's address a variable may be a document; at the dashboard's none is sent this way. */
const GRAPHQL_BYTES = 11 * 1024 * 1024;
const DASHBOARD_GRAPHQL_BYTES = 1024 * 1024;

export interface HttpDeps
  extends OpenedGraphql,
    Pick<OpenedAccounts, 'authenticator' | 'limiter' | 'anonymous' | 'addressOf' | 'identity' | 'signUp'>,
    Pick<OpenedDocuments, 'documents'>,
    Pick<OpenedEngines, 'engines' | 'availability'>,
    Pick<OpenedRequests, 'worker' | 'pressure' | 'isBound' | 'outputs' | 'requireOwnDocument'>,
    Pick<OpenedUsage, 'exports'>,
    Pick<OpenedMonitoring, 'gauges'> {
  readonly catalogue: Catalogue;
  readonly registry: Registry;
  readonly shutdown: Shutdown;
  readonly parties: ActiveParties;
  readonly reads: ReadTurns;
  /** Whether the database answers. */
  readonly isReady: () => Promise<boolean>;
  /** Is told the code of every call that is answered with an error. */
  readonly onRefusal: (code: ErrorCode) => void;
  readonly refusals: { note(call: RefusedCall): void };
  readonly log: Log;
}

interface DocumentWish extends Pick<Receiving, 'onLate'> {
  readonly mostBytes: number;
}

/** The listeners of a process. */
export interface Listeners extends AsyncDisposable {
  readonly api: RequestListener;
  readonly dashboard: RequestListener;
  /** The probes (and figures): a worker answers nothing else. */
  readonly probes: RequestListener;
  /** The figures alone, for METRICS_PORT. */
  readonly metrics: RequestListener;
  /** Answer `Upgrade` at `/graphql`: sockets of the API's address, and of the dashboard's. */
  readonly apiSockets: UpgradeListener;
  readonly dashboardSockets: UpgradeListener;
}

/** Makes the two facades over one schema, and the listeners around them. */
export async function openHttp(config: Config, deps: HttpDeps): Promise<Listeners> {
  const { authenticator, limiter, anonymous, addressOf, identity, signUp, onRefusal, log } = deps;
  const { schema, graphql, sockets, shutdown, parties, reads, pressure } = deps;
  const receiver = new BodyReceiver({ totalBytes: config.maxBodiesBytes, ...BODY_TIMES }, parties);
  const partyOf = partiesBy(addressOf);
  const kept = new KeptBodies(config.maxMemoryBytes);
  const unread = new UnreadAnswers({ totalBytes: config.maxBodiesBytes });
  const watchAnswer: WatchAnswer = (req, res, accountOf) => unread.watch(res, () => partyOf(req, accountOf()));
  const requireReadiness = () => {
    shutdown.requireRunning();
    pressure.requireMemory();
  };
  /** Lets in a call under a key that is bound even while memory is short: it only repeats what there is. */
  const requireReadinessFor = async (req: IncomingMessage, { accountId }: Caller) => {
    shutdown.requireRunning();
    try {
      pressure.requireMemory();
    } catch (error) {
      const key = req.headers['idempotency-key'];
      if (typeof key !== 'string' || !(await deps.isBound(accountId, key))) throw error;
    }
  };
  /** Receives a body that is a document, of at most a quarter of the bytes of all bodies. */
  const receiveDocument = (req: IncomingMessage, accountId: string | null, { mostBytes, onLate }: DocumentWish) =>
    receiveFile(receiver, req, {
      party: partyOf(req, accountId),
      limitBytes: Math.min(mostBytes, Math.floor(config.maxBodiesBytes / 4)),
      onLate,
    });
  const renewed = renewedByKey(authenticator, addressOf);
  const renewedVisitor: Renewed = (_req, visitor) => renewedLogin(identity.sessions, visitor);
  const renewVisitor = renewLocals(renewedVisitor, requireSession);
  const { slowResponseMs, slowResponseBeatMs } = config;
  const shared = { schema, onRefusal, slowResponseMs, slowResponseBeatMs, log };
  const noteRefused = (error: AppError, res: ServerResponse, from: { caller: Caller | null; body?: unknown }) => {
    const call = refusedCallOf(error, res, { ...from, address: addressBucket(addressOf(res.req)) });
    if (call) deps.refusals.note(call);
  };
  const noteVisitor: typeof noteRefused = (error, res, from) => {
    if (!(error instanceof NoLogin)) noteRefused(error, res, from);
  };
  const facade = new Facade<Caller | null>({
    ...shared,
    reads: { run: (caller, res, work) => reads.run(accountIdOf(caller), hangUpOf(res), work) },
    onRefused: noteRefused,
    authorise: authoriseCaller,
    renew: (caller, req) => renewed(req, { caller }),
    context: ({ caller, onRequest, documents }, res): Context => ({
      ...{ caller, onRequest, hangUp: hangUpOf(res) },
      ...(documents && { sentDocuments: documents }),
    }),
    contract: contracts.openapi,
    documents: readDocuments(),
    hooks: outputHooks<Caller | null>({
      open: (wish, document) => deps.outputs.open({ ...wish, format: wish.format as FileFormat }, document), // by the contract
      receive: (req, { caller, onLate }) =>
        receiveDocument(req, accountIdOf(caller), { mostBytes: config.maxDocumentBytes, onLate }),
    }),
    bodies: new BodyReader(receiver, {
      limitBytes: DOCUMENT_BODY_BYTES,
      accountOf: accountIdOf,
      partyOf,
      kept,
    }),
  });
  const dashboardDocuments = readDocuments('operations/dashboard');
  const dashboardFacade = new Facade<Visitor>({
    ...shared,
    reads: { run: ({ caller }, res, work) => reads.run(accountIdOf(caller), hangUpOf(res), work) },
    authorise: authoriseVisitor,
    renew: async (visitor, req) => ({ ...visitor, caller: await renewedVisitor(req, visitor) }),
    context: ({ caller: visitor }): Context => ({ ...visitor }),
    onRefused: (error, res, { caller: { caller }, body }) => noteVisitor(error, res, { caller, body }),
    contract: servedBy(contracts.dashboard, dashboardDocuments),
    documents: dashboardDocuments,
    bodies: new BodyReader(receiver, {
      limitBytes: FORM_BODY_BYTES,
      accountOf: ({ caller }) => accountIdOf(caller),
      partyOf,
      kept,
      requireReadiness,
    }),
  });
  const bodyOfGraphql = (limitBytes: number, renew: typeof renewVisitor) =>
    graphqlBody(receiver, { limitBytes, accountOf, partyOf, kept, requireReadiness, renew });
  const metrics = metricsHandler(makeMetrics(deps.registry, { ...deps, version: VERSION }), config.metricsToken);
  const probes = {
    metrics: config.metricsPort === 0 ? metrics : null,
    isReady: async () => !shutdown.hasBegun && (await deps.isReady()),
  };
  const fileTurns = new FileTurns(parties);
  return {
    api: makeApi({
      ...probes,
      authenticator,
      limiter,
      anonymous,
      addressOf,
      facade,
      parties,
      graphqlBody: bodyOfGraphql(GRAPHQL_BYTES, renewLocals(renewed, requireCaller)),
      graphql,
      pages: makePages(readContract()),
      fileTurns,
      requireReadiness: requireReadinessFor,
      watchAnswer,
      onRefusal,
      onRefused: (error, res, { caller, engine }) => noteRefused(error, res, { caller, body: { engine } }),
      log,
    }),
    dashboard: makeDashboard({
      authenticator,
      limiter,
      anonymous,
      sessions: identity.sessions,
      loginEndpoint: identity.loginEndpoint,
      openId: identity.openId,
      signUp,
      dashboardUrl: config.dashboardUrl,
      facade: dashboardFacade,
      graphqlBody: bodyOfGraphql(DASHBOARD_GRAPHQL_BYTES, renewVisitor),
      graphql,
      exports: deps.exports,
      onRefused: noteVisitor,
      fileTurns,
      pagePictures: {
        documents: deps.documents,
        receive: async (req, res) => {
          requireReadiness();
          const onLate = () => renewVisitor(req, res);
          return receiveDocument(req, accountOf(res), { mostBytes: DOCUMENT_BODY_BYTES, onLate });
        },
        requireOwnDocument: deps.requireOwnDocument,
      },
      api: { url: config.apiUrl, port: config.port },
      trustedProxies: config.trustedProxies,
      watchAnswer,
      onRefusal,
      log,
    }),
    probes: makeProbeListener(probes),
    metrics: makeMetricsListener(metrics),
    apiSockets: sockets.upgradeListener((req) => apiVisitor(authenticator, addressOf(req))),
    dashboardSockets: sockets.upgradeListener((req) =>
      dashboardVisitor(req, { sessions: identity.sessions, dashboardUrl: config.dashboardUrl }),
    ),
    [Symbol.asyncDispose]: async () => {
      receiver[Symbol.dispose]();
      unread[Symbol.dispose]();
    },
  };
}

const authoriseCaller: FacadeDeps<Caller | null>['authorise'] = (caller, scope) => {
  if (scope !== null && isScope(scope)) requireScope(caller, scope);
  else requireCaller(caller);
};

function accountIdOf(caller: Caller | null): string | null {
  return caller?.accountId ?? null;
}
