import type { Log } from '../platform/logging/log.ts';
import { openPool, type Pool } from './pool.ts';
import { Replica } from './replica.ts';
import { ReportsReady } from './reports-ready.ts';

/** The pools of a process. Each kind of statement has its own, so that none waits for another kind. */
export interface Connections extends AsyncDisposable {
  readonly url: string;
  /** The pool for requests. */
  readonly hot: Pool;
  /** The pool for the service's own jobs: roll-ups, months, archives. */
  readonly background: Pool;
  /** The pool for the public figures of engines. */
  readonly monitoring: Pool;
  /** The pool for what owners and operators look at: lists, usage, money. */
  readonly reports: Pool;
  readonly reportsReady: ReportsReady;
  /** The pool for large texts. */
  readonly texts: Pool;
}

/** Connections of the pools for reports and for texts, in each process. */
const REPORTS = 3;
const TEXTS = 2;

export interface ConnectionsOptions {
  /** Connections of `hot`. */
  readonly max: number;
  /** The replica from which reports are read while it is not too far behind; null without one. */
  readonly replica?: { readonly url: string; readonly maxLagMs: number } | null;
  readonly log: Log;
}

/** Opens the pools. No connection is made before it is needed; an idle one is closed after a minute. */
export function openConnections(url: string, { max, replica = null, log }: ConnectionsOptions): Connections {
  const hot = openPool(url, { max, log });
  const background = openPool(url, { max: 2, log, kind: 'background' });
  const monitoring = openPool(url, { max: 2, log, kind: 'monitoring' });
  const texts = openPool(url, { max: TEXTS, log, kind: 'texts' });
  const reports = openPool(url, { max: REPORTS, log, kind: 'reports' });
  const copy = replica && new Replica(replica.url, { max: REPORTS, maxLagMs: replica.maxLagMs, log });
  reports.replica = copy;
  copy?.start();
  return {
    url,
    hot,
    background,
    monitoring,
    reports,
    texts,
    reportsReady: new ReportsReady(reports),
    async [Symbol.asyncDispose]() {
      await copy?.[Symbol.asyncDispose]();
      await Promise.all([hot.end(), background.end(), monitoring.end(), reports.end(), texts.end()]);
    },
  };
}
