import type { Caller } from '../accounts/callers/caller.ts';
import type { KeyBudgets } from '../billing/limits/key-budgets.ts';
import type { Wallets } from '../billing/wallets.ts';
import type { Connections } from '../database/connections.ts';
import type { OpenedDocuments } from '../documents/open-documents.ts';
import type { Config } from '../platform/config.ts';
import { openBroadcast } from '../platform/messaging/open-broadcast.ts';
import { openDispatch } from '../platform/messaging/open-dispatch.ts';
import { RequestChanges } from '../platform/messaging/request-changes.ts';
import type { Slice } from '../platform/slice.ts';
import { CancellationsResolver } from './cancel/cancellations.resolver.ts';
import { Deletions } from './cancel/deletions.ts';
import { CostEstimateResolver } from './estimate/cost-estimate.resolver.ts';
import { EstimateResolver } from './estimate/estimate.resolver.ts';
import { Estimates } from './estimate/estimate.ts';
import { RequestList } from './list/request-list.ts';
import { openStores, type StoresDeps } from './open-stores.ts';
import { openUpkeep, type UpkeepDeps } from './open-upkeep.ts';
import { openWork, type WorkDeps } from './open-work.ts';
import { OutputsResolver } from './output/outputs.resolver.ts';
import { Outputs } from './output/outputs.ts';
import { ReadPages } from './output/read-pages.ts';
import { requireSameDocument } from './output/same-document.ts';
import { Waiters } from './run/waiters.ts';
import type { Worker } from './run/worker.ts';
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
import { forgetRequest } from './store/forget.ts';
import { IncludedPages } from './store/included-pages.ts';
import { BatchesResolver } from './submit/batches.resolver.ts';
import { Pressure } from './submit/pressure.ts';
import { Submissions } from './submit/submit.ts';

/** The places of a process that only takes requests in: it has none. */
const NO_PLACES = { reserve: () => null };

type Made = 'stores' | 'view' | 'waiting' | 'dispatch' | 'changes' | 'sharesResults';

export interface RequestsDeps
  extends Omit<StoresDeps, 'connections'>,
    Omit<WorkDeps, 'connections' | Made>,
    Omit<UpkeepDeps, 'connections'>,
    Pick<OpenedDocuments, 'searchablePdfs'> {
  readonly connections: Connections;
  readonly wallets: Wallets;
  readonly budgets: KeyBudgets;
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
  const { connections, catalogue, availability, wallets, role, log } = deps;
  const { hot, reports } = connections;
  await using stack = new AsyncDisposableStack();

  const stores = openStores(deps);
  const { lookup, loaders, storedPages, largeRequestPages, positions } = stores;
  const waiting = new Waiters();
  const dispatch = stack.use(await openDispatch(config.redisUrl, log));
  const changes = new RequestChanges(stack.use(await openBroadcast(config.redisUrl, log)));
  dispatch.onEnded((id) => {
    if (waiting.has(id)) void lookup.byId(id).then((ended) => ended && waiting.resolve(ended), ignore);
  });
  const view = new RequestView(lookup);
  const sharesResults = config.redisUrl !== null || role !== 'all';
  const telling = { waiting, dispatch, changes, sharesResults };
  const work = openWork(config, { ...deps, ...telling, stores, view }, stack);
  const { worker, heartbeat, cancellations, passing, sweeper } = work;

  const pressure = stack.use(new Pressure(hot, config, log));
  const { allowPrivateCidrs, syncLimitMs, outageLimitMs } = config;
  const submissions = new Submissions({
    ...deps,
    ...stores,
    ...telling,
    ...{ worker, passing, pressure, allowPrivateCidrs, syncLimitMs, outageLimitMs },
    places: role === 'api' ? NO_PLACES : worker,
    forget: (id) => forgetRequest(hot, id),
    passedPages: (id) => storedPages.passed(id),
  });
  const upkeep = openUpkeep(config, deps, stack);
  const results = new Results(lookup);
  const readPages = new ReadPages(hot, positions);
  const included = new IncludedPages(loaders, storedPages);
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
      new PagesResolver(new PageLists(results, storedPages, largeRequestPages), loaders),
      new RequestDetailsResolver(new RequestList(reports), view, loaders),
      new RequestFeedResolver(),
      new CancellationsResolver(cancellations, new Deletions({ pool: hot, view, cancellations })),
      new BatchesResolver(submissions, included, log),
      new JobsResolver(new Jobs(lookup, largeRequestPages), results),
      new OutputsResolver(readPages),
      new CostEstimateResolver(catalogue, availability, wallets),
      new EstimateResolver(new Estimates({ ...deps, pressure, allowPrivateCidrs })),
    ],
    jobs: [],
    workerJobs: [{ start: () => dispatch.serve(served, (engineId) => worker.take(engineId)) }, sweeper, ...upkeep],
    ready: async () => heartbeat?.ready(),
    drain: () => worker.drain(config.shutdownLimitMs),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Waiting callers look into the database every second as well. */
function ignore(): void {}
