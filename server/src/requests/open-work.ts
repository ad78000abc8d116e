import type { Connections } from '../database/connections.ts';
import type { OpenedDocuments } from '../documents/open-documents.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { OpenedEngines } from '../engines/open-engines.ts';
import type { ActiveParties } from '../platform/concurrency/active-parties.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/logging/log.ts';
import type { Dispatch } from '../platform/messaging/dispatch.ts';
import type { RequestChanges } from '../platform/messaging/request-changes.ts';
import type { Role } from '../platform/role.ts';
import { Cancellations } from './cancel/cancellations.ts';
import { LEASE_MS, type Stores } from './open-stores.ts';
import { Heartbeat } from './run/heartbeat.ts';
import { RequestRunner } from './run/run-request.ts';
import { Sweeper } from './run/sweep.job.ts';
import { UnservedEngines } from './run/unserved-engines.ts';
import type { Waiters } from './run/waiters.ts';
import { Worker } from './run/worker.ts';
import type { RequestView } from './show/request-view.ts';
import { PassingTexts } from './store/passing-texts.ts';

/** A document that is read in less than this need not be stored; no answer shows an id of a running request earlier. */
const STORE_AFTER_MS = 100;

export interface WorkDeps
  extends Pick<OpenedEngines, 'engines' | 'availability'>,
    Pick<OpenedDocuments, 'documents' | 'fetcher'> {
  readonly connections: Pick<Connections, 'hot' | 'url'>;
  readonly catalogue: Catalogue;
  readonly parties: ActiveParties;
  readonly role: Role;
  /** This process, as leases name it. */
  readonly owner: string;
  /** Called with the number of requests that were taken from processes whose lease had run out. */
  readonly onLeasesLost: (requests: number) => void;
  readonly stores: Stores;
  readonly view: RequestView;
  readonly waiting: Waiters;
  readonly dispatch: Dispatch;
  readonly changes: RequestChanges;
  /** Callers may wait in other processes. */
  readonly sharesResults: boolean;
  readonly log: Log;
}

/** Opens what works on requests in this process, ends them early, and finds those that nothing works on. `stack` disposes of it. */
export function openWork(config: Config, deps: WorkDeps, stack: AsyncDisposableStack) {
  const { connections, catalogue, availability, role, owner, stores, onLeasesLost, log } = deps;
  const { url, hot: pool } = connections;
  const runner = new RequestRunner({
    ...deps,
    ...stores,
    isUsable: (engine) => availability.isUsable(engine),
    syncLimitMs: config.syncLimitMs,
    storeAfterMs: Math.min(STORE_AFTER_MS, config.slowResponseMs / 2),
    outageLimitMs: config.outageLimitMs,
  });
  const engineIds = catalogue.configured.map(({ id }) => id);
  const lease = { url, owner, leaseMs: LEASE_MS, engineIds, log };
  const heartbeat = role === 'api' ? null : stack.use(new Heartbeat(lease));
  const { leases, expiry } = stores;
  const worker = stack.use(new Worker({ runner, leases, expiry, heartbeat, catalogue, log }));
  const cancellations = new Cancellations({ ...deps, ...stores, pool, runner, worker });
  deps.dispatch.onCancel((id) => worker.cancel(id));
  const passing = stack.use(new PassingTexts(pool));
  const sweeper = stack.use(
    new Sweeper({
      ...deps,
      ...stores,
      ...{ worker, heartbeat, cancellations, passing, engineIds, onLeasesLost },
      unserved: new UnservedEngines({ ...deps, ...stores, engineIds }),
      leaseMs: LEASE_MS,
    }),
  );
  return { worker, heartbeat, cancellations, passing, sweeper };
}
