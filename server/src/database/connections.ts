import type { Log } from '../platform/logging/log.ts';
import { openPool, type Pool } from './pool.ts';
import { Replica } from './replica.ts';
import { ReportsReady } from './reports-ready.ts';

/** Connections of a process, each kind with its own, so that none waits for another. */
export interface Connections extends AsyncDisposable {
  readonly url: string;
  /** Of the requests. */
  readonly hot: Pool;
  /** Of what the service counts and observes by itself. */
  readonly background: Pool;
  /** Of the public figures of engines. */
  readonly monitoring: Pool;
  /** Of what owners and operators look at: lists, usage, money. */
  readonly reports: Pool;
  readonly reportsReady: ReportsReady;
  /** Of texts that are long. */
  readonly texts: Pool;
}

/** Connections of a kind, in each process. */
const REPORTS = 3;
const TEXTS = 2;

export interface ConnectionsOptions {
  /** Of the requests. */
  readonly max: number;
  /** Where reports are read as long as it is not too far behind; null: where everything is. */
  readonly replica?: { readonly url: string; readonly maxLagMs: number } | null;
  readonly log: Log;
}

/** No connection is made before it is needed, and one that is idle for a minute ends. */
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
