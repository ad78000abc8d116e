import 'reflect-metadata';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '@prometheus-io/client';
import type { Response } from 'express';
import { Agent } from 'undici';
import { AccountBook } from './accounts/account-book.ts';
import { AccountDetailsResolver } from './accounts/account-details.resolver.ts';
import { AccountList } from './accounts/account-list.ts';
import { AccountsResolver } from './accounts/accounts.resolver.ts';
import { AnonymousLimiter } from './accounts/anonymous-limiter.ts';
import { AuditResolver } from './accounts/audit.resolver.ts';
import { Audit } from './accounts/audit.ts';
import { Authenticator } from './accounts/authenticate.ts';
import { requireCaller, requireScope } from './accounts/caller.ts';
import { clientAddress } from './accounts/client-address.ts';
import type { Context } from './accounts/context.ts';
import { dashboardAddress } from './accounts/dashboard-address.ts';
import { hangUpOf } from './accounts/hang-up.ts';
import { openIdentity } from './accounts/identity.ts';
import { LoginLimiter } from './accounts/login-limiter.ts';
import { RateLimiter } from './accounts/rate-limit.ts';
import { isScope } from './accounts/scopes.ts';
import { SignUp } from './accounts/sign-up.ts';
import { TextPurger } from './accounts/text-purge.job.ts';
import { BillingResolver } from './billing/billing.resolver.ts';
import { Corrections } from './billing/corrections.ts';
import { Ledger } from './billing/ledger.ts';
import { LedgerProof } from './billing/ledger-proof.ts';
import { MoneyResolver } from './billing/money.resolver.ts';
import { MoneyFlow } from './billing/money-flow.ts';
import { PendingCosts } from './billing/pending-costs.ts';
import { WalletReader } from './billing/wallet-reader.ts';
import type { Config } from './config.ts';
import { authoriseVisitor, makeDashboard, type Visitor } from './dashboard/dashboard.ts';
import { dashboardVisitor } from './dashboard/socket-visitor.ts';
import { Lane } from './database/lane.ts';
import { openOrm } from './database/orm.ts';
import { openPool, type Pool, query } from './database/pool.ts';
import { openReportPools } from './database/report-pools.ts';
import { ReportsReady } from './database/reports-ready.ts';
import { SingleFlight } from './database/single-flight.ts';
import { News } from './dispatch/news.ts';
import { openBroadcast } from './dispatch/open-broadcast.ts';
import { openDispatch } from './dispatch/open-dispatch.ts';
import { Documents } from './documents/documents.ts';
import { guardedAgent } from './documents/egress.ts';
import { DocumentFetcher } from './documents/fetch.ts';
import { DocumentStore } from './documents/store.ts';
import { AnnouncedEngines } from './engines/announced-engines.ts';
import { Availability } from './engines/availability.ts';
import { BUILT_IN } from './engines/built-in.ts';
import { EngineRunner } from './engines/engine-runner.ts';
import { EnginesResolver } from './engines/engines.resolver.ts';
import { mergeEntries, readEnginesFile } from './engines/engines-file.ts';
import { makeCatalogue } from './engines/make-catalogue.ts';
import { ENTITIES } from './entities.ts';
import { AppError } from './errors.ts';
import { openApollo } from './graphql/apollo.ts';
import { audited } from './graphql/audited.ts';
import { boundedInputs } from './graphql/bounded-inputs.ts';
import { NodesResolver } from './graphql/nodes.resolver.ts';
import { makeSchema } from './graphql/schema.ts';
import { apiVisitor } from './graphql/socket-visitor.ts';
import { Sockets } from './graphql/sockets.ts';
import { makeApi } from './http.ts';
import { newId } from './ids.ts';
import type { Log } from './log.ts';
import { makeMetrics, metricsHandler } from './metrics.ts';
import { PROBE_LIMIT_MS } from './monitoring/check-engine.ts';
import { Counters } from './monitoring/counters.ts';
import { DatabaseGauges } from './monitoring/database-gauges.ts';
import { EngineFiguresResolver } from './monitoring/engine-figures.resolver.ts';
import { engineLoaders } from './monitoring/engine-loaders.ts';
import { HealthBook } from './monitoring/health-book.ts';
import { MonitoringResolver } from './monitoring/monitoring.resolver.ts';
import { Observer } from './monitoring/observer.job.ts';
import { OperationsResolver } from './monitoring/operations.resolver.ts';
import { OperationsFeedResolver } from './monitoring/operations-feed.resolver.ts';
import { OperationsFeed } from './monitoring/operations-feed.ts';
import { Prober } from './monitoring/probe.job.ts';
import { ProbeBook } from './monitoring/probe-book.ts';
import { ProcessBook } from './monitoring/process-book.ts';
import { QueueResolver } from './monitoring/queue.resolver.ts';
import { QueueBook } from './monitoring/queue-book.ts';
import { QueueHistory } from './monitoring/queue-history.ts';
import { RollUp } from './monitoring/roll-up.job.ts';
import { Series } from './monitoring/series.ts';
import { StateBook } from './monitoring/state-book.ts';
import { makePages } from './pages.ts';
import { makeMetricsListener, makeProbeListener } from './probes.ts';
import { AcceptanceDesk } from './requests/acceptance.ts';
import { BatchesResolver } from './requests/batches.resolver.ts';
import { CostEstimateResolver } from './requests/cost-estimate.resolver.ts';
import { Heartbeat } from './requests/heartbeat.ts';
import { JobPages } from './requests/job-pages.ts';
import { JobsResolver } from './requests/jobs.resolver.ts';
import { Jobs } from './requests/jobs.ts';
import { KeyUsageReader } from './requests/key-usage.ts';
import { LeaseExpiry } from './requests/lease-expiry.ts';
import { Leases } from './requests/leases.ts';
import { LockedWallets } from './requests/locked-wallets.ts';
import { RequestLookup } from './requests/lookup.ts';
import { Pressure } from './requests/pressure.ts';
import { Processing } from './requests/process.job.ts';
import { Queue } from './requests/queue.ts';
import { ReportRollUp } from './requests/report-roll-up.job.ts';
import { RequestDetailsResolver } from './requests/request-details.resolver.ts';
import { RequestFeedResolver } from './requests/request-feed.resolver.ts';
import { RequestFeed } from './requests/request-feed.ts';
import { RequestList } from './requests/request-list.ts';
import { requestLoaders } from './requests/request-loaders.ts';
import { RequestView } from './requests/request-view.ts';
import { RequestsResolver } from './requests/requests.resolver.ts';
import { Results } from './requests/results.ts';
import { SettlementDesk } from './requests/settlement.ts';
import { Submissions } from './requests/submissions.ts';
import { Sweeper } from './requests/sweep.job.ts';
import { UsageHistoryResolver } from './requests/usage-history.resolver.ts';
import { UsageHistory } from './requests/usage-history.ts';
import { UsageSummaryResolver } from './requests/usage-summary.resolver.ts';
import { Waiting } from './requests/waiting.ts';
import { Worker } from './requests/worker.ts';
import { openContract, readContract, servedBy } from './rest/contract.ts';
import { readDocuments } from './rest/documents.ts';
import { Facade } from './rest/facade.ts';
import { graphqlBody } from './rest/graphql-body.ts';
import { BodyReader } from './rest/read-body.ts';
import { BODY_TIMES, BodyReceiver, DOCUMENT_BODY_BYTES, FORM_BODY_BYTES } from './rest/receive-body.ts';
import { WebhookBody } from './rest/webhook-body.ts';
import { Secrets } from './secrets/secrets.ts';
import { protectSecrets } from './secrets/stored-secrets.ts';
import { VERSION } from './version.ts';
import { DELIVERY_LEASE_MS, DeliverJob } from './webhooks/deliver.job.ts';
import { DeliveryDesk } from './webhooks/delivery-desk.ts';
import { DeliveryLog } from './webhooks/delivery-log.ts';
import { Registrations } from './webhooks/registrations.ts';
import { DeliveryRetention } from './webhooks/retention.job.ts';
import { WebhooksResolver } from './webhooks/webhooks.resolver.ts';

/** How long a lease lasts without a heartbeat. */
const LEASE_MS = 10_000;
/** A document that is read in less than this need not be stored; whoever is told an id earlier than its end waits longer. */
const STORE_AFTER_MS = 100;
/** A process whose statements wait longer than this is not ready. */
const LONGEST_WAIT_MS = 5000;
/** Largest page that is handed to an engine, in pixels. */
const SENT_PIXELS = 40e6;

/** A GraphQL call on the API's address may carry a document, as a variable; one of the dashboard's pages does not. */
const GRAPHQL_BYTES = 11 * 1024 * 1024;
const DASHBOARD_GRAPHQL_BYTES = 1024 * 1024;

/** What a process does: answer callers, do the work, or both. */
export type Role = 'all' | 'api' | 'worker';

const NO_PLACES = { reserve: () => null };

/** The composition root: the only place that builds services. Whoever opens the app disposes it. */
export async function openApp(config: Config, databaseUrl: string, { role, log }: { role: Role; log: Log }) {
  await using stack = new AsyncDisposableStack();
  const pool = stack.adopt(openPool(databaseUrl, { max: config.databasePool, log }), (open) => open.end());
  const pools = openReportPools(databaseUrl, log);
  const { background, monitoring, reports } = pools;
  stack.defer(() => pools.end());
  const secrets = new Secrets(config.secretsKey);
  await protectSecrets(databaseUrl, secrets, log);
  if (!secrets.encrypts) log.warn('SECRETS_KEY is not set: webhook secrets and signing keys are stored as they are');
  const catalogue = makeCatalogue(
    mergeEntries(BUILT_IN, config.enginesFile ? readEnginesFile(config.enginesFile) : { engines: [] }),
    config,
  );

  const registry = new Registry();
  const engineIds = catalogue.engines.filter(({ status }) => status === 'available').map(({ id }) => id);
  const counters = new Counters(registry, engineIds);
  const onRefusal = (code: string) => counters.refused(code);

  const announced = stack.use(new AnnouncedEngines(background, catalogue));
  await announced.start();

  const documents = stack.use(
    new Documents({
      threads: config.cores,
      maxPixels: config.maxPagePixels,
      maxSentPixels: SENT_PIXELS,
      maxPages: 5000,
      pdfTimeoutMs: config.pdfTimeoutMs,
      memoryMb: 512,
      decodingBytes: config.maxMemoryBytes / 4,
    }),
  );
  void documents.sweep();
  const fetcher = stack.use(
    new DocumentFetcher({ maxBytes: config.maxDocumentBytes, allowCidrs: config.allowPrivateCidrs }),
  );
  const http = stack.adopt(new Agent({ connections: 256, headersTimeout: 0, bodyTimeout: 0 }), (agent) =>
    agent.destroy(),
  );
  const engines = stack.use(
    new EngineRunner(
      catalogue,
      {
        http,
        documents,
        dataDir: config.dataDir,
        cores: config.cores,
        programEnv: config.programEnv,
        log,
      },
      (engineId, ending, ms) => counters.engineCalled(engineId, ending, ms),
    ),
  );
  const availability = stack.use(new Availability(pool, (engine) => engines.isResting(engine)));
  await availability.start();

  const owner = `${hostname()}:${process.pid}:${newId('att_')}`;
  const lookup = new RequestLookup(pool);
  const receivers = stack.adopt(guardedAgent({ allowCidrs: config.allowPrivateCidrs }), (agent) => agent.destroy());
  const deliveries = stack.use(
    new DeliverJob({
      desk: new DeliveryDesk(pool, secrets, {
        owner,
        leaseMs: DELIVERY_LEASE_MS,
        onOutcome: (outcome) => counters.deliveryClosed(outcome),
      }),
      agent: receivers,
      render: (announcement) => webhookBody.render(announcement),
      log,
    }),
  );
  const retention = stack.use(new DeliveryRetention(pool, log));
  const textPurger = stack.use(new TextPurger(pool, log));
  const books = new Lane(); // acceptance and settlement wait for the same wallets
  const lockedWallets = new LockedWallets();
  const settlement = new SettlementDesk(pool, {
    lane: books,
    lockedWallets,
    onAnnounced: () => deliveries.wake(),
    onEnded: (request, settled) => counters.requestEnded(request, settled),
  });
  const leases = new Leases(pool, { owner, leaseMs: LEASE_MS });
  const expiry = new LeaseExpiry(pool, { owner });
  const waiting = new Waiting();
  const dispatch = stack.use(await openDispatch(config.redisUrl, log));
  const news = new News(stack.use(await openBroadcast(config.redisUrl, log)));
  const store = new DocumentStore(pool);
  const jobPages = new JobPages(pool, catalogue);
  const processing = new Processing({
    documents,
    engines,
    catalogue,
    fetcher,
    store,
    settlement,
    leases,
    jobPages,
    waiting,
    dispatch,
    news,
    sharesResults: config.redisUrl !== null || role !== 'all',
    isUsable: (engine) => availability.isUsable(engine),
    syncLimitMs: config.syncLimitMs,
    storeAfterMs: Math.min(STORE_AFTER_MS, config.slowResponseMs / 2),
    outageLimitMs: config.outageLimitMs,
    log,
  });
  const heartbeat =
    role === 'api' ? null : stack.use(await Heartbeat.open({ url: databaseUrl, owner, leaseMs: LEASE_MS, log }));
  const worker = stack.use(new Worker({ processing, leases, expiry, heartbeat, catalogue, log }));
  const pressure = stack.use(new Pressure(pool, config, log));
  const sweeper = stack.use(
    new Sweeper({
      leases,
      expiry,
      queue: new Queue(pool),
      worker,
      heartbeat,
      lookup,
      settlement,
      news,
      engineIds: catalogue.engines.map(({ id }) => id),
      leaseMs: LEASE_MS,
      onLeasesLost: (requests) => counters.leasesLost(requests),
      log,
    }),
  );
  const prober = stack.use(
    new Prober({ pool, catalogue, availability, engines, documents, intervalMs: config.probeIntervalMs, log }),
  );
  const rollUp = stack.use(new RollUp(background, log));
  await rollUp.adopt();
  const reportRollUp = stack.use(new ReportRollUp(background, log));
  const ready = new ReportsReady(reports);

  const submissions = new Submissions({
    catalogue,
    availability,
    documents,
    store,
    acceptance: new AcceptanceDesk(pool, { owner, leaseMs: LEASE_MS, lane: books, lockedWallets, log }),
    settlement,
    lookup,
    waiting,
    dispatch,
    news,
    places: role === 'api' ? NO_PLACES : worker,
    pressure,
    allowPrivateCidrs: config.allowPrivateCidrs,
    syncLimitMs: config.syncLimitMs,
    outageLimitMs: config.outageLimitMs,
    log,
  });
  const results = new Results(lookup);
  const identity = openIdentity(pool, secrets, { settings: config.openId, log });
  const loaders = requestLoaders(pool);
  const ledger = new Ledger(pool);
  const probeTimes = { intervalMs: config.probeIntervalMs, limitMs: PROBE_LIMIT_MS };
  const series = new Series(monitoring);
  const health = new HealthBook(series, new ProbeBook(monitoring, probeTimes), availability);
  const queues = new QueueBook(background);
  const states = new StateBook(monitoring);
  const view = new RequestView(lookup);
  const registrations = new Registrations(pool, secrets, { allowPrivateCidrs: config.allowPrivateCidrs });
  const deliveryLog = new DeliveryLog(pool, () => deliveries.wake());
  const requestFeed = new RequestFeed(news, view);
  const operationsFeed = stack.use(new OperationsFeed({ book: health, catalogue, queues }));
  const orm = stack.adopt(await openOrm(databaseUrl, ENTITIES, 2), (open) => open.close(true));
  const book = new AccountBook(orm, pool, secrets);
  const signUp = config.registration ? new SignUp(book, new LoginLimiter(pool)) : null;
  const audit = new Audit(pool);
  const limiter = new RateLimiter(pool);
  const resolvers = [
    new RequestsResolver(submissions, results, loaders),
    new RequestDetailsResolver(new RequestList(reports), view, loaders),
    new RequestFeedResolver(),
    new BatchesResolver(submissions, log),
    new JobsResolver(new Jobs(lookup, jobPages), results),
    new EnginesResolver(catalogue, availability),
    new EngineFiguresResolver(
      catalogue,
      availability,
      prober,
      health,
      engineLoaders({ reports: { pool: reports, ready }, series, health, states }),
    ),
    new BillingResolver(ledger),
    new MoneyResolver(
      new WalletReader(reports),
      new PendingCosts(pool),
      new Corrections(pool),
      new LedgerProof(databaseUrl),
    ),
    new MonitoringResolver(catalogue, series, prober, health, VERSION),
    new QueueResolver(new QueueBook(reports), new QueueHistory(reports)),
    new OperationsFeedResolver(),
    new WebhooksResolver(registrations, deliveryLog, limiter),
    new AccountsResolver({
      ...identity,
      book,
      signUp,
      dashboard: dashboardAddress(config),
    }),
    new AccountDetailsResolver(book, new AccountList(reports)),
    new UsageHistoryResolver(new UsageHistory(reports, ready)),
    new UsageSummaryResolver({ pool: reports, ready }, new KeyUsageReader(reports, ready)),
    new CostEstimateResolver(catalogue, availability, ledger),
    new OperationsResolver({ pool: reports, ready }, catalogue, new MoneyFlow(reports, ready), states),
    new AuditResolver(audit),
    new NodesResolver({ catalogue, view, book, registrations, deliveries: deliveryLog }),
  ];
  const schema = boundedInputs(audited(makeSchema(resolvers), audit));
  const ownProcess =
    role === 'api' ? null : new ProcessBook(pool, { owner, role, version: VERSION, startedAt: new Date() });
  const observer = stack.use(
    new Observer({
      pool: background,
      catalogue,
      health: new HealthBook(new Series(background), new ProbeBook(background, probeTimes), availability),
      queue: new QueueHistory(background),
      states: new StateBook(background),
      process: ownProcess,
      log,
    }),
  );

  const contract = readContract();
  const webhookBody = new WebhookBody({ schema, contract, contextOf: ownerContext, log });
  const requireReadiness = () => {
    if (stopping) throw leaving();
    pressure.requireMemory();
  };
  const receiver = stack.use(new BodyReceiver({ totalBytes: config.maxBodiesBytes, ...BODY_TIMES }));
  const facade = new Facade({
    authorise: (caller, scope) => {
      const known = caller as Context['caller']; // what `identify` found
      if (scope !== null && isScope(scope)) requireScope(known, scope);
      else requireCaller(known);
    },
    context: (caller, onRequest, res): Context => ({
      caller: caller as Context['caller'],
      onRequest,
      hangUp: hangUpOf(res),
    }),
    api: await openContract(contract),
    schema,
    documents: readDocuments(schema),
    bodies: new BodyReader(receiver, {
      limitBytes: DOCUMENT_BODY_BYTES,
      accountOf: (caller) => (caller as Context['caller'])?.accountId ?? null, // what `identify` found
    }),
    onRefusal,
    slowResponseMs: config.slowResponseMs,
    slowResponseBeatMs: config.slowResponseBeatMs,
    log,
  });
  const dashboardDocuments = readDocuments(schema, 'operations/dashboard');
  const dashboardFacade = new Facade({
    authorise: (visitor, scope) => authoriseVisitor(visitor as Visitor, scope),
    context: (visitor): Context => ({ ...(visitor as Visitor) }),
    api: await openContract(servedBy(readContract('dashboard'), dashboardDocuments)),
    schema,
    documents: dashboardDocuments,
    bodies: new BodyReader(receiver, {
      limitBytes: FORM_BODY_BYTES,
      accountOf: (visitor) => (visitor as Visitor).caller?.accountId ?? null,
      requireReadiness,
    }),
    onRefusal,
    slowResponseMs: config.slowResponseMs,
    slowResponseBeatMs: config.slowResponseBeatMs,
    log,
  });
  const anonymous = new AnonymousLimiter(config.anonymousPerMinute);
  const addressOf = clientAddress(config.trustedProxies);
  const authenticator = new Authenticator(pool, identity.tokens, anonymous);
  const apollo = await openApollo(schema, { limiter, onRefusal });
  stack.defer(() => apollo.server.stop());
  const sockets = stack.use(
    new Sockets({
      schema,
      limiter,
      contextOf: (caller): Context => ({ caller, requestFeed, operationsFeed }),
      onRefusal,
      log,
    }),
  );
  const dashboard = makeDashboard({
    authenticator,
    limiter,
    anonymous,
    sessions: identity.sessions,
    door: identity.door,
    openId: identity.openId,
    signUp,
    dashboardUrl: config.dashboardUrl,
    facade: dashboardFacade,
    graphqlBody: graphqlBody(receiver, {
      limitBytes: DASHBOARD_GRAPHQL_BYTES,
      accountOf: accountOfLocals,
      requireReadiness,
    }),
    graphql: apollo.handler,
    api: { url: config.apiUrl, port: config.port },
    trustedProxies: config.trustedProxies,
    onRefusal,
    log,
  });
  const readiness = new SingleFlight<boolean>();
  const isReady = async () => !stopping && (await readiness.run('', () => isServing(pool)));
  const gauges = new DatabaseGauges(registry, { pool: monitoring, engineIds, log });
  const figures = makeMetrics(registry, { worker, engines, availability, catalogue, gauges, version: VERSION });
  const metrics = metricsHandler(figures, config.metricsToken);
  const besideProbes = config.metricsPort === 0 ? metrics : null;
  const api = makeApi({
    authenticator,
    limiter,
    anonymous,
    addressOf,
    facade,
    graphqlBody: graphqlBody(receiver, { limitBytes: GRAPHQL_BYTES, accountOf: accountOfLocals, requireReadiness }),
    graphql: apollo.handler,
    pages: makePages(contract),
    metrics: besideProbes,
    isReady,
    requireReadiness,
    onRefusal,
    log,
  });
  let stopping = false;
  dispatch.onEnded((id) => {
    if (waiting.has(id)) void lookup.byId(id).then((ended) => ended && waiting.resolve(ended), noMatter);
  });

  const disposal = stack.move();
  return {
    api,
    dashboard,
    /** A worker answers these alone. */
    probes: makeProbeListener({ metrics: besideProbes, isReady }),
    /** The figures alone, where they have a port of their own. */
    metrics: makeMetricsListener(metrics),
    /** What answers `Upgrade` at `/graphql`, at either address. */
    apiSockets: sockets.door((req) => apiVisitor(authenticator, addressOf(req))),
    dashboardSockets: sockets.door((req) =>
      dashboardVisitor(req, { sessions: identity.sessions, dashboardUrl: config.dashboardUrl }),
    ),
    /** Begins the background work: queued requests, sweeping, probing, rolling up and delivering. */
    start() {
      // Every process probes and rolls up, each when nobody else has: it is how an API process learns of ill engines.
      prober.start();
      rollUp.start();
      reportRollUp.start(0);
      observer.start();
      if (role === 'api') return;
      const served = catalogue.engines.filter(({ status }) => status === 'available').map(({ id }) => id);
      dispatch.serve(served, (engineId) => worker.take(engineId));
      sweeper.start();
      deliveries.start();
      retention.start();
      textPurger.start();
    },
    /** Turns red for whoever asks `/readyz`, takes no more work, and gives what runs time to end. */
    async drain() {
      stopping = true;
      sockets.close();
      await worker.drain(config.shutdownLimitMs);
    },
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}

/** The account of a caller whom an earlier step of Express has found. */
function accountOfLocals(res: Response): string | null {
  return (res.locals as Partial<Context>).caller?.accountId ?? null;
}

/** Whether the database answers, and no statement has been waiting for longer than it should. */
async function isServing(pool: Pool): Promise<boolean> {
  if (pool.waits.oldestMs() > LONGEST_WAIT_MS) return false;
  const answer = query(pool, { name: 'ready', text: 'select 1' }, []).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, sleep(LONGEST_WAIT_MS, false, { ref: false })]);
}

function leaving(): AppError {
  return new AppError('engine_unavailable', 'This process is about to stop. Nothing was taken in; try again.', {
    retryAfterSeconds: 5,
  });
}

/** Whoever waits looks for itself every second. */
function noMatter(): void {}
/** Who reads a request for its webhook: the account itself, and nothing but requests. */
function ownerContext(accountId: string): Context {
  const caller = { accountId, keyId: '', scopes: ['ocr:read'], tier: 'free', history: true, via: 'session' } as const;
  return { caller };
}
