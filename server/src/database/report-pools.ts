import type { Log } from '../log.ts';
import { openPool, type Pool } from './pool.ts';

/** Connections beside those of the requests, each kind with its own, so that none waits for another. */
export interface ReportPools {
  /** Of what the service counts and observes by itself. */
  readonly background: Pool;
  /** Of the public figures of engines. */
  readonly monitoring: Pool;
  /** Of what owners and operators look at: lists, usage, money. */
  readonly reports: Pool;
  end(): Promise<void>;
}

/** No connection is made before it is needed, and one that is idle for a minute ends. */
export function openReportPools(url: string, log: Log): ReportPools {
  const background = openPool(url, { max: 2, log, kind: 'background' });
  const monitoring = openPool(url, { max: 2, log, kind: 'monitoring' });
  const reports = openPool(url, { max: 3, log, kind: 'reports' });
  return {
    background,
    monitoring,
    reports,
    async end() {
      await Promise.all([background.end(), monitoring.end(), reports.end()]);
    },
  };
}
