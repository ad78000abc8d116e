import 'reflect-metadata';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, type NonEmptyArray, type PubSub } from 'type-graphql';
import { AccountsResolver } from '../accounts/accounts.resolver.ts';
import { AuditResolver } from '../accounts/audit.resolver.ts';
import { LoginResolver } from '../accounts/login.resolver.ts';
import { BillingResolver } from '../billing/billing.resolver.ts';
import { KeyBudgetsResolver } from '../billing/key-budgets.resolver.ts';
import { MoneyResolver } from '../billing/money.resolver.ts';
import { EnginesResolver } from '../engines/engines.resolver.ts';
import { AlertsResolver } from '../monitoring/alerts/alerts.resolver.ts';
import { AlertChannelsResolver } from '../monitoring/alerts/channels/alert-channels.resolver.ts';
import { EngineFiguresResolver } from '../monitoring/engine-figures.resolver.ts';
import { MonitoringResolver } from '../monitoring/monitoring.resolver.ts';
import { OperationsResolver } from '../monitoring/operations.resolver.ts';
import { OperationsFeedResolver } from '../monitoring/operations-feed.resolver.ts';
import { QueueResolver } from '../monitoring/queue/queue.resolver.ts';
import { RefusalsResolver } from '../monitoring/refusals/refusals.resolver.ts';
import { CancellationsResolver } from '../requests/cancel/cancellations.resolver.ts';
import { CostEstimateResolver } from '../requests/estimate/cost-estimate.resolver.ts';
import { EstimateResolver } from '../requests/estimate/estimate.resolver.ts';
import { OutputsResolver } from '../requests/output/outputs.resolver.ts';
import { JobsResolver } from '../requests/show/jobs.resolver.ts';
import { PagesResolver } from '../requests/show/pages.resolver.ts';
import { RequestDetailsResolver } from '../requests/show/request-details.resolver.ts';
import { RequestFeedResolver } from '../requests/show/request-feed.resolver.ts';
import { RequestsResolver } from '../requests/show/requests.resolver.ts';
import { BatchesResolver } from '../requests/submit/batches.resolver.ts';
import { AccountUsageResolver } from '../usage/account-usage.resolver.ts';
import { UsageHistoryResolver } from '../usage/usage-history.resolver.ts';
import { UsageSummaryResolver } from '../usage/usage-summary.resolver.ts';
import { FailedDeliveriesResolver } from '../webhooks/failed-deliveries.resolver.ts';
import { WebhooksResolver } from '../webhooks/webhooks.resolver.ts';
import { NodesResolver } from './nodes.resolver.ts';

/** Every resolver class: the schema is made of them. */
const RESOLVERS = [
  RequestsResolver,
  PagesResolver,
  RequestDetailsResolver,
  RequestFeedResolver,
  BatchesResolver,
  CancellationsResolver,
  JobsResolver,
  OutputsResolver,
  EnginesResolver,
  EngineFiguresResolver,
  BillingResolver,
  MoneyResolver,
  KeyBudgetsResolver,
  MonitoringResolver,
  QueueResolver,
  OperationsFeedResolver,
  AlertsResolver,
  AlertChannelsResolver,
  RefusalsResolver,
  WebhooksResolver,
  FailedDeliveriesResolver,
  LoginResolver,
  AccountsResolver,
  AccountUsageResolver,
  UsageHistoryResolver,
  UsageSummaryResolver,
  CostEstimateResolver,
  EstimateResolver,
  OperationsResolver,
  AuditResolver,
  NodesResolver,
] as const;

/** Descriptions of the root types, whose classes are type-graphql's own. */
const ROOTS = {
  Query: 'What can be read. Each field at the root costs a call of the rate limit.',
  Mutation: 'What can be changed. What operators change is written down in `auditLog`.',
  Subscription: 'What is told as it happens, over a WebSocket (graphql-transport-ws); one call of the rate limit each.',
};

/** A stand-in: type-graphql demands one where there are subscriptions, and ours bring their own streams. */
const NO_PUB_SUB: PubSub = {
  publish: () => undefined,
  subscribe: (topic) => {
    throw new Error(`nothing publishes ${topic}`);
  },
};

/** Makes the schema of resolvers that the composition root has built. */
export function makeSchema(resolvers: readonly object[]): GraphQLSchema {
  const built = new Map<unknown, object>(resolvers.map((resolver) => [resolver.constructor, resolver]));
  const schema = buildSchemaSync({
    // `as`: the classes have constructors with arguments, which type-graphql's type does not foresee.
    resolvers: [...RESOLVERS] as unknown as NonEmptyArray<() => unknown>,
    container: { get: (someClass: unknown) => built.get(someClass) },
    pubSub: NO_PUB_SUB,
    validate: false,
    emitSchemaFile: false,
    skipCheck: true, // an introspection of all of it; Apollo checks the schema as it is
  });
  for (const [root, description] of Object.entries(ROOTS)) {
    Object.assign(schema.getType(root) ?? {}, { description });
  }
  return schema;
}
