import type { Caller } from '../accounts/callers/caller.ts';
import type { KeyBudgets } from '../billing/limits/key-budgets.ts';
import type { Wallets } from '../billing/wallets.ts';
import { newLanes } from '../database/batches/lane-batcher.ts';
import { overtakingOn } from '../database/batches/overtaking.ts';
import type { Connections } from '../database/connections.ts';
import { MonthParts } from '../database/months/months.job.ts';
import type { OpenedDocuments } from '../documents/open-documents.ts';
import { DocumentStore } from '../documents/store.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { OpenedEngines } from '../engines/open-engines.ts';
import type { ActiveParties } from '../platform/concurrency/active-parties.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/logging/log.ts';
import { openBroadcast } from '../platform/messaging/open-broadcast.ts';
import { openDispatch } from '../platform/messaging/open-dispatch.ts';
import { RequestChanges } from '../platform/messaging/request-changes.ts';
import type { Role } from '../platform/role.ts';
import type { Slice } from '../platform/slice.ts';
import { MonthArchive } from './archive/archive.job.ts';
import { CancellationsResolver } from './cancel/cancellations.resolver.ts';
import { Cancellations } from './cancel/cancellations.ts';
import { Deletions } from './cancel/deletions.ts';
import { CostEstimateResolver } from './estimate/cost-estimate.resolver.ts';
import { EstimateResolver } from './estimate/estimate.resolver.ts';
import { Estimates } from './estimate/estimate.ts';
import { RequestList } from './list/request-list.ts';
import { OutputsResolver } from './output/outputs.resolver.ts';
import { Outputs } from './output/outputs.ts';
import { ReadPages } from './output/read-pages.ts';
import { requireSameDocument } from './output/same-document.ts';
import { PositionTurns } from './places/position-turns.ts';
import { Heartbeat } from './run/heartbeat.ts';
import { RequestRunner } from './run/run-request.ts';
import { Sweeper } from './run/sweep.job.ts';
import { UnservedEngines } from './run/unserved-engines.ts';
import { Waiters } from './run/waiters.ts';
import { Worker } from './run/worker.ts';
import { JobsResolver } from './show/jobs.resolver.ts';
import { Jobs } from './show/jobs.ts';
import { PageLists } from './show/page-lists.ts';
import { PagesResolver } from './show/pages.resolver.ts';
import { RequestDetailsResolver } from './show/request-details.resolver.ts';
import { RequestFeedResolver } from './show/request-feed.resolver.ts';
import { RequestFeed } from './show/request-feed.ts';
import { RequestView } from './show/request-view.ts';
import { RequestsResolver } from './show/requests.resolver.ts';
import { Results } from './show/results.ts';
import { AcceptanceStore } from './store/accept/accept.ts';
import { RequestLookup } from './store/find.ts';
import { forgetRequest } from './store/forget.ts';
import { IncludedPages } from './store/included-pages.ts';
import { LargeRequestPages } from './store/large-request-pages.ts';
import { LeaseExpiry } from './store/lease-expiry.ts';
import { Leases } from './store/leases.ts';
import { PassingTexts } from './store/passing-texts.ts';
import { Queue } from './store/queue.ts';
import { requestLoaders } from './store/request-loaders.ts';
import { SettlementStore } from './store/settle/settle.ts';
import type { RequestToSettle, Settlement } from './store/settle/settlement.ts';
import { StoredPages } from './store/stored-pages.ts';
import { TextTurns } from './store/texts/text-turns.ts';
import { WalletRetries } from './store/wallet-retries.ts';
import { BatchesResolver } from './submit/batches.resolver.ts';
import { Pressure } from './submit/pressure.ts';
import { Submissions } from './submit/submit.ts';
import { IdempotencyKeyCopy } from './upkeep/copy-keys.job.ts';
import { TextExpiry } from './upkeep/expiry.job.ts';
import { TextPurge } from './upkeep/purge.job.ts';

/** How long a lease lasts without a heartbeat. */
const LEASE_MS = 10_000;
/** A document that is read in less than this need not be stored; no answer shows an id of a running request earlier. */
const STORE_AFTER_MS = 100;

/** The places of a process that only takes requests in: it has none. */
const NO_PLACES = { reserve: () => null };

export interface RequestsDeps
  extends Pick<OpenedEngines, 'engines' | 'availability'>,
    Pick<OpenedDocuments, 'documents' | 'fetcher' | 'searchablePdfs'> {
  readonly connections: Connections;
  readonly catalogue: Catalogue;
  readonly parties: ActiveParties;
  readonly wallets: Wallets;
  readonly budgets: KeyBudgets;
  readonly role: Role;
  /** This process, as leases name it. */
  readonly owner: string;
  /** Called when webhooks have become due. */
  readonly onAnnounced: () => void;
  readonly onEnded: (request: RequestToSettle, settlement: Settlement) => void;
  /** Called with the number of requests that were taken from processes whose lease had run out. */
  readonly onLeasesLost: (requests: number) => void;
  /** Called with the number of requests whose expired texts were deleted. */
  readonly onTextsExpired: (requests: number) => void;
  /** The database's URL, with the role that owns the tables. */
  readonly ownerUrl: string;
  /** Called with a table, and how many of its rows were moved to a file. */
  readonly onArchived: (table: string, rows: number) => void;
  readonly log: Log;
}

export interface OpenedRequests extends Slice, AsyncDisposable {
  readonly view: RequestView;
  readonly feed: RequestFeed;
  readonly worker: Worker;
  readonly pressure: Pressure;
  /** Whether a request of the account has this idempotency key. */
  readonly isBound: (accountId: string, idempotencyKey: string) => Promise<boolean>;
  /** Files of results. */
  readonly outputs: Outputs;
  /** Throws 400 for another document than that of a request, and 404 for a request that the caller may not see. */
  readonly requireOwnDocument: (caller: Caller, requestId: string, document: Buffer) => Promise<void>;
  /** Resolves when the database has this process's lease, without which nothing may run. */
  ready(): Promise<void>;
  /** Takes no more work, and gives what runs time to end. */
  drain(): Promise<void>;
}

/** A request's life: accepted, read, judged, settled, shown. */
export async function openRequests(config: Config, deps: RequestsDeps): Promise<OpenedRequests> {
  const { connections, catalogue, engines, availability, documents, fetcher, wallets, budgets, role, owner, log } =
    deps;
  const { parties } = deps;
  const { hot, reports } = connections;
  const { syncLimitMs, outageLimitMs } = config;
  await using stack = new AsyncDisposableStack();

  const texts = { pool: connections.texts, turns: new TextTurns(parties) };
  const lookup = new RequestLookup(hot, texts);
  const lanes = newLanes(1, overtakingOn(hot)); // acceptance and settlement wait for the same wallets
  const walletRetries = new WalletRetries();
  const acceptance = new AcceptanceStore(hot, { owner, leaseMs: LEASE_MS, lanes, walletRetries, log });
  const { onAnnounced, onEnded } = deps;
  const settlements = new SettlementStore(hot, { lanes, walletRetries, onAnnounced, onEnded });
  const leases = new Leases(hot, { owner, leaseMs: LEASE_MS });
  const expiry = new LeaseExpiry(hot, { owner });
  const store = new DocumentStore(hot);
  const largeRequestPages = new LargeRequestPages(hot, catalogue);

  const waiting = new Waiters();
  const dispatch = stack.use(await openDispatch(config.redisUrl, log));
  const changes = new RequestChanges(stack.use(await openBroadcast(config.redisUrl, log)));
  dispatch.onEnded((id) => {
    if (waiting.has(id)) void lookup.byId(id).then((ended) => ended && waiting.resolve(ended), ignore);
  });

  const sharesResults = config.redisUrl !== null || role !== 'all';
  const positions = new PositionTurns(parties);
  const runner = new RequestRunner({
    documents,
    engines,
    positions,
    parties,
    catalogue,
    fetcher,
    store,
    settlements,
    leases,
    largeRequestPages,
    waiting,
    dispatch,
    changes,
    sharesResults,
    isUsable: (engine) => availability.isUsable(engine),
    syncLimitMs,
    storeAfterMs: Math.min(STORE_AFTER_MS, config.slowResponseMs / 2),
    outageLimitMs,
    log,
  });
  const engineIds = catalogue.configured.map(({ id }) => id);
  const lease = { url: connections.url, owner, leaseMs: LEASE_MS, engineIds, log };
  const heartbeat = role === 'api' ? null : stack.use(new Heartbeat(lease));
  const worker = stack.use(new Worker({ runner, leases, expiry, heartbeat, catalogue, log }));
  const pressure = stack.use(new Pressure(hot, config, log));
  const view = new RequestView(lookup);
  const ending = { settlements, largeRequestPages, runner, worker };
  const cancellations = new Cancellations({ pool: hot, view, lookup, ...ending, waiting, dispatch, changes });
  dispatch.onCancel((id) => worker.cancel(id));
  const queue = new Queue(hot);
  const passing = stack.use(new PassingTexts(hot));
  const sweeper = stack.use(
    new Sweeper({
      leases,
      expiry,
      queue,
      worker,
      heartbeat,
      lookup,
      settlements,
      changes,
      cancellations,
      passing,
      unserved: new UnservedEngines({ queue, lookup, settlements, changes, engineIds, log }),
      engineIds,
      leaseMs: LEASE_MS,
      onLeasesLost: deps.onLeasesLost,
      log,
    }),
  );
  const stored = new StoredPages(hot, texts);
  const submissions = new Submissions({
    catalogue,
    availability,
    documents,
    store,
    acceptance,
    budgets,
    settlements,
    lookup,
    waiting,
    dispatch,
    changes,
    places: role === 'api' ? NO_PLACES : worker,
    worker,
    pressure,
    allowPrivateCidrs: config.allowPrivateCidrs,
    syncLimitMs,
    outageLimitMs,
    sharesResults,
    forget: (id) => forgetRequest(hot, id),
    passing,
    passedPages: (id) => stored.passed(id),
    log,
  });

  const { allowPrivateCidrs } = config;
  const opening = { catalogue, availability, documents, fetcher, wallets, budgets, pressure, allowPrivateCidrs };
  const estimates = new Estimates(opening);

  const textExpiry = stack.use(new TextExpiry(hot, { log, onExpired: deps.onTextsExpired }));
  const textPurge = stack.use(new TextPurge(hot, log));
  const keyCopy = stack.use(new IdempotencyKeyCopy(connections.background, log));
  const months = stack.use(new MonthParts({ url: connections.url, pool: connections.background, log }));
  const { ownerUrl, onArchived } = deps;
  const archive =
    config.archive && stack.use(new MonthArchive({ ownerUrl, settings: config.archive, log, onArchived }));
  const results = new Results(lookup);
  const loaders = requestLoaders(hot, { positions, texts });
  const readPages = new ReadPages(hot, positions);
  const included = new IncludedPages(loaders, stored);
  const served = catalogue.engines.filter(({ status }) => status === 'available').map(({ id }) => id);
  const opened = stack.move();
  return {
    view,
    feed: new RequestFeed(changes, view),
    worker,
    pressure,
    isBound: (accountId, idempotencyKey) => lookup.isBound(accountId, idempotencyKey),
    outputs: new Outputs({ lookup, pages: readPages, pdfs: deps.searchablePdfs }),
    requireOwnDocument: async (caller, requestId, document) =>
      requireSameDocument(await view.read(caller, requestId), document),
    resolvers: [
      new RequestsResolver(submissions, results, loaders, included),
      new PagesResolver(new PageLists(results, stored, largeRequestPages), loaders),
      new RequestDetailsResolver(new RequestList(reports), view, loaders),
      new RequestFeedResolver(),
      new CancellationsResolver(cancellations, new Deletions({ pool: hot, view, cancellations })),
      new BatchesResolver(submissions, included, log),
      new JobsResolver(new Jobs(lookup, largeRequestPages), results),
      new OutputsResolver(readPages),
      new CostEstimateResolver(catalogue, availability, wallets),
      new EstimateResolver(estimates),
    ],
    jobs: [],
    workerJobs: [
      months,
      { start: () => dispatch.serve(served, (engineId) => worker.take(engineId)) },
      sweeper,
      textPurge,
      textExpiry,
      keyCopy,
      ...(archive ? [archive] : []),
    ],
    ready: async () => heartbeat?.ready(),
    drain: () => worker.drain(config.shutdownLimitMs),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Waiting callers look into the database every second as well. */
function ignore(): void {}
