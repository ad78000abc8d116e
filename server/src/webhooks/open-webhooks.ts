import type { RateLimiter } from '../accounts/callers/rate-limit.ts';
import type { Connections } from '../database/connections.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import type { Config } from '../platform/config.ts';
import { guardedAgent } from '../platform/egress/egress.ts';
import type { Log } from '../platform/logging/log.ts';
import { WakeUp } from '../platform/messaging/wake-up.ts';
import type { Slice } from '../platform/slice.ts';
import { DELIVERY_LEASE_MS, DeliverJob, type DeliverJobDeps } from './deliver.job.ts';
import { DeliveryLog } from './delivery-log.ts';
import { type DeliveryOutcome, DeliveryStore } from './delivery-store.ts';
import { FailedDeliveriesResolver } from './failed-deliveries.resolver.ts';
import { FailedDeliveries } from './failed-deliveries.ts';
import { Registrations } from './registrations.ts';
import { DeliveryRetention } from './retention.job.ts';
import { WebhooksResolver } from './webhooks.resolver.ts';

export interface WebhooksDeps {
  readonly connections: Connections;
  readonly secrets: Secrets;
  readonly limiter: RateLimiter;
  /** The name of this process in leases. */
  readonly owner: string;
  readonly onOutcome: (outcome: DeliveryOutcome) => void;
  readonly log: Log;
}

export interface OpenedWebhooks extends Slice, AsyncDisposable {
  readonly registrations: Registrations;
  readonly deliveries: DeliveryLog;
  /** Wakes the delivery job: something is due, or may be. */
  readonly due: WakeUp;
  /** Makes the job that sends due deliveries, with bodies by `render`. To be called once; the caller disposes of the job. */
  openDelivery(render: DeliverJobDeps['render']): DeliverJob;
}

export function openWebhooks(config: Config, deps: WebhooksDeps): OpenedWebhooks {
  const { connections, secrets, limiter, owner, onOutcome, log } = deps;
  const { hot } = connections;
  const { allowPrivateCidrs } = config;
  const stack = new AsyncDisposableStack();
  const agent = stack.adopt(guardedAgent({ allowCidrs: allowPrivateCidrs }), (open) => open.destroy());
  const due = new WakeUp();
  const registrations = new Registrations(hot, secrets, { allowPrivateCidrs });
  const deliveries = new DeliveryLog(hot, () => due.wake());
  const failed = new FailedDeliveries(hot, () => due.wake());
  return {
    registrations,
    deliveries,
    due,
    openDelivery(render) {
      const store = new DeliveryStore(hot, secrets, { owner, leaseMs: DELIVERY_LEASE_MS, onOutcome });
      const job = new DeliverJob({ store, agent, render, log });
      due.onWake(() => job.wake());
      return job;
    },
    resolvers: [new WebhooksResolver(registrations, deliveries, limiter), new FailedDeliveriesResolver(failed)],
    jobs: [],
    workerJobs: [stack.use(new DeliveryRetention(hot, log))],
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
