import 'reflect-metadata';
import { hostname } from 'node:os';
import { Registry } from '@prometheus-io/client';
import { ownerContext } from './accounts/callers/context.ts';
import { openAccounts } from './accounts/open-accounts.ts';
import { openBilling } from './billing/open-billing.ts';
import { openConnections } from './database/connections.ts';
import type { Database } from './database/open.ts';
import { databaseReadiness } from './database/readiness.ts';
import { Secrets } from './database/secrets/secrets.ts';
import { prepareSecrets } from './database/secrets/stored-secrets.ts';
import { openDocuments } from './documents/open-documents.ts';
import { openEngines, readCatalogue } from './engines/open-engines.ts';
import { ENTITIES } from './entities.ts';
import { NodesResolver } from './graphql/nodes.resolver.ts';
import { openGraphql } from './graphql/open-graphql.ts';
import { openHttp } from './http/open-http.ts';
import { Counters } from './monitoring/counters.ts';
import { openMonitoring } from './monitoring/open-monitoring.ts';
import { ProviderWordStore } from './monitoring/provider-words/provider-word-store.ts';
import { ProviderWords } from './monitoring/provider-words/provider-words.job.ts';
import { TokenOverruns } from './monitoring/token-overruns.ts';
import { ActiveParties } from './platform/concurrency/active-parties.ts';
import { ReadTurns } from './platform/concurrency/read-turns.ts';
import type { Config } from './platform/config.ts';
import { newId } from './platform/ids.ts';
import type { Log } from './platform/logging/log.ts';
import type { Role } from './platform/role.ts';
import { Shutdown } from './platform/shutdown.ts';
import { openRequests } from './requests/open-requests.ts';
import { purgeTexts } from './requests/store/forget.ts';
import { readContract } from './rest/contract/contract.ts';
import { WebhookBody } from './rest/webhook-body.ts';
import { openUsage } from './usage/open-usage.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';

/** The composition root: opens the slices, lowest first. Its caller disposes of it. */
export async function openApp(
  config: Config,
  { url, ownerUrl }: Pick<Database, 'url' | 'ownerUrl'>,
  { role, log }: { role: Role; log: Log },
) {
  await using stack = new AsyncDisposableStack();
  const owner = `${hostname()}:${process.pid}:${newId('wrk_')}`;
  const shutdown = new Shutdown();
  const connections = stack.use(
    openConnections(url, { max: config.databasePool, replica: config.reportsReplica, log }),
  );
  const secrets = new Secrets(config.secretsKey);
  const prepared = prepareSecrets(secrets, url, log);
  prepared.catch(() => undefined); // told where it is waited for
  const catalogue = readCatalogue(config);
  const engineIds = catalogue.engines.filter(({ status }) => status === 'available').map(({ id }) => id);
  const registry = new Registry();
  const counters = new Counters(registry, engineIds);
  const overruns = new TokenOverruns(log);
  const onRefusal = (code: string) => counters.refused(code);
  const parties = new ActiveParties();
  const reads = new ReadTurns(parties);
  const base = { connections, catalogue, parties, reads, secrets, registry, engineIds, role, owner, onRefusal, log };

  const providerWords = stack.use(new ProviderWords(new ProviderWordStore(connections.background), log));

  const documents = stack.use(openDocuments(config));
  const engines = stack.use(
    await openEngines(config, {
      ...base,
      ...documents,
      onCall: (...call) => counters.engineCalled(...call),
      onWords: (...said) => providerWords.note(...said),
    }),
  );
  const purge = (accountId: string) => purgeTexts(connections.hot, accountId);
  const accounts = stack.use(await openAccounts(config, { ...base, entities: ENTITIES, purgeTexts: purge }));
  const billing = openBilling(connections, accounts.accounts.keys);
  const webhooks = stack.use(
    openWebhooks(config, { ...base, ...accounts, onOutcome: (outcome) => counters.deliveryClosed(outcome) }),
  );
  const requests = stack.use(
    await openRequests(config, {
      ...base,
      ...documents,
      ...engines,
      ...billing,
      onAnnounced: () => webhooks.due.wake(),
      onEnded: (request, settlement) => {
        counters.requestEnded(request, settlement);
        overruns.note(settlement.attempts);
      },
      onLeasesLost: (lost) => counters.leasesLost(lost),
      onTextsExpired: (requests) => counters.textsPurged(requests),
      ownerUrl,
      onArchived: (table, rows) => counters.rowsArchived(table, rows),
    }),
  );
  const usage = stack.use(openUsage(connections, log));
  const monitoring = stack.use(
    await openMonitoring(config, { ...base, ...documents, ...engines, ...accounts, providerWords }),
  );
  const slices = [requests, engines, monitoring, billing, webhooks, accounts, usage];

  const nodes = new NodesResolver({
    catalogue,
    view: requests.view,
    accounts: accounts.accounts,
    registrations: webhooks.registrations,
    deliveries: webhooks.deliveries,
  });
  const graphql = stack.use(
    await openGraphql({
      ...base,
      ...accounts,
      resolvers: [...slices.flatMap(({ resolvers }) => resolvers), nodes],
      feeds: { requestFeed: requests.feed, operationsFeed: monitoring.feed },
      refusals: monitoring.refusals,
    }),
  );
  const body = new WebhookBody({ schema: graphql.schema, contract: readContract(), contextOf: ownerContext, log });
  const delivery = stack.use(webhooks.openDelivery((announcement) => body.render(announcement)));
  const listeners = stack.use(
    openHttp(config, {
      ...base,
      ...documents,
      ...engines,
      ...accounts,
      ...requests,
      ...monitoring,
      ...usage,
      ...graphql,
      shutdown,
      isReady: databaseReadiness(connections.hot),
    }),
  );

  await Promise.all([prepared, requests.ready()]); // all else was opened meanwhile
  const opened = stack.move();
  return {
    listeners,
    /** Begins the background work. */
    start() {
      const ofWorkers = role === 'api' ? [] : [...slices.flatMap(({ workerJobs }) => workerJobs), delivery];
      for (const job of [...slices.flatMap(({ jobs }) => jobs), ...ofWorkers]) job.start();
    },
    /** Answers 503 at `/readyz`, takes no more work, and gives what runs time to end. */
    async drain() {
      shutdown.begin();
      graphql.sockets.close();
      await requests.drain();
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
