import type { RequestListener } from 'node:http';
import type { Registry } from '@prometheus-io/client';
import type { OpenedAccounts } from '../accounts/open-accounts.ts';
import type { OpenedDocuments } from '../documents/open-documents.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import type { OpenedEngines } from '../engines/open-engines.ts';
import type { OpenedGraphql } from '../graphql/open-graphql.ts';
import { apiVisitor } from '../graphql/sockets/socket-visitor.ts';
import type { UpgradeListener } from '../graphql/sockets.ts';
import type { OpenedMonitoring } from '../monitoring/open-monitoring.ts';
import type { ActiveParties } from '../platform/concurrency/active-parties.ts';
import type { ReadTurns } from '../platform/concurrency/read-turns.ts';
import type { Config } from '../platform/config.ts';
import type { ErrorCode } from '../platform/errors.ts';
import type { Log } from '../platform/logging/log.ts';
import type { RefusedCall } from '../platform/refused-call.ts';
import type { Shutdown } from '../platform/shutdown.ts';
import { VERSION } from '../platform/version.ts';
import type { OpenedRequests } from '../requests/open-requests.ts';
import type { OpenedUsage } from '../usage/open-usage.ts';
import { makeMetrics, metricsHandler } from './api/metrics.ts';
import { openApi } from './api/open-api.ts';
import { makeMetricsListener, makeProbeListener } from './api/probes.ts';
import { openCalls } from './calls/open-calls.ts';
import { openDashboard } from './dashboard/open-dashboard.ts';
import { dashboardVisitor } from './dashboard/socket-visitor.ts';

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

/** Makes the listeners over one schema. */
export function openHttp(config: Config, deps: HttpDeps): Listeners {
  const { authenticator, addressOf, identity, sockets, shutdown } = deps;
  const calls = openCalls(config, deps);
  const metrics = metricsHandler(makeMetrics(deps.registry, { ...deps, version: VERSION }), config.metricsToken);
  const probes = {
    metrics: config.metricsPort === 0 ? metrics : null,
    isReady: async () => !shutdown.hasBegun && (await deps.isReady()),
  };
  return {
    api: openApi(config, { ...deps, ...probes, calls }),
    dashboard: openDashboard(config, { ...deps, calls }),
    probes: makeProbeListener(probes),
    metrics: makeMetricsListener(metrics),
    apiSockets: sockets.upgradeListener((req) => apiVisitor(authenticator, addressOf(req))),
    dashboardSockets: sockets.upgradeListener((req) =>
      dashboardVisitor(req, { sessions: identity.sessions, dashboardUrl: config.dashboardUrl }),
    ),
    [Symbol.asyncDispose]: async () => calls[Symbol.dispose](),
  };
}
