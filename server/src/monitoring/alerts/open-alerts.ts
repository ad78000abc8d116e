import type { RateLimiter } from '../../accounts/callers/rate-limit.ts';
import type { Connections } from '../../database/connections.ts';
import type { Secrets } from '../../database/secrets/secrets.ts';
import { SingleFlight } from '../../platform/concurrency/single-flight.ts';
import type { Config } from '../../platform/config.ts';
import { guardedAgent } from '../../platform/egress/egress.ts';
import type { Log } from '../../platform/logging/log.ts';
import { Poller } from '../../platform/messaging/poller.ts';
import { WakeUp } from '../../platform/messaging/wake-up.ts';
import type { Slice } from '../../platform/slice.ts';
import { QueueHistory } from '../queue/queue-history.ts';
import { QueueStats } from '../queue/queue-stats.ts';
import { RefusalStore } from '../refusals/refusal-store.ts';
import { Series } from '../series/series.ts';
import type { AlertOverview, Incident } from './alert.ts';
import { AlertHistory } from './alert-history.ts';
import type { LookDeps } from './alert-look.ts';
import { AlertsJob } from './alerts.job.ts';
import { AlertsResolver } from './alerts.resolver.ts';
import { AlertChannelsResolver } from './channels/alert-channels.resolver.ts';
import { ChannelStore } from './channels/channel-store.ts';
import { DeliverNotices } from './channels/deliver-notices.job.ts';
import { DeliveryQueue } from './channels/delivery-queue.ts';
import { DeliveryStore } from './channels/delivery-store.ts';
import { Mailer } from './channels/mailer.ts';
import { NoticeSender } from './channels/notice-sender.ts';
import { EvaluationStore } from './evaluation-store.ts';
import { readIncidents } from './incidents.ts';
import { RuleStore } from './rule-store.ts';

export interface AlertsDeps extends Pick<LookDeps, 'catalogue' | 'availability' | 'health'> {
  readonly connections: Connections;
  readonly secrets: Secrets;
  readonly limiter: RateLimiter;
  readonly log: Log;
}

export interface OpenedAlerts extends Slice, AsyncDisposable {
  /** The feed for operators that watch alerts live. */
  readonly feed: Poller<AlertOverview>;
}

/** Opens alert rules, their evaluation, and the sending of alerts. */
export function openAlerts(config: Config, deps: AlertsDeps): OpenedAlerts {
  const { connections, catalogue, availability, health, secrets, limiter, log } = deps;
  const { hot, background, monitoring, reports, reportsReady } = connections;
  const everyMs = config.alertsIntervalMs;
  const { allowPrivateCidrs } = config;
  const stack = new AsyncDisposableStack();

  const mailer = new Mailer(config.mail);
  const due = new WakeUp();
  const rules = new RuleStore(hot);
  const history = new AlertHistory(hot);
  const deliveries = new DeliveryQueue(hot, due);
  const channels = new ChannelStore(hot, secrets, { allowPrivateCidrs, sendsMail: mailer.isReady });

  const agent = stack.adopt(guardedAgent({ allowCidrs: allowPrivateCidrs }), (open) => open.destroy());
  const sender = new NoticeSender({ agent, mailer, secrets });
  const delivery = stack.use(new DeliverNotices({ store: new DeliveryStore(hot), sender, log }));
  due.onWake(() => delivery.wake());
  const job = stack.use(
    new AlertsJob({
      ...{ pool: background, ready: reportsReady, catalogue, availability, health },
      queues: new QueueStats(background),
      refusals: new RefusalStore(background),
      evaluations: new EvaluationStore(hot),
      ...{ rules, history, deliveries, everyMs, log },
    }),
  );

  const overview = () => overviewOf({ rules, history, everyMs });
  const feed = stack.use(new Poller(overview, (now) => now));
  const lookBack = {
    ...{ pool: reports, catalogue, checkEveryMs: everyMs },
    series: new Series(reports),
    queue: new QueueHistory(reports),
    refusals: new RefusalStore(reports),
  };
  // Anybody may ask, as often as the limit of addresses allows: simultaneous questions are read once.
  const flight = new SingleFlight<Incident[]>();
  const incidents = () => flight.run('', () => readIncidents(monitoring, catalogue));
  return {
    feed,
    resolvers: [
      new AlertsResolver({ rules, history, lookBack, overview, incidents }),
      new AlertChannelsResolver(channels, deliveries, limiter),
    ],
    // Every process checks and sends, each when no other one does: an installation of API processes alone is watched, too.
    jobs: [job, delivery],
    workerJobs: [],
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function overviewOf({
  rules,
  history,
  everyMs,
}: {
  readonly rules: RuleStore;
  readonly history: AlertHistory;
  readonly everyMs: number;
}): Promise<AlertOverview> {
  const [list, { quietHours, mutedUntil, checkedAt }, firing, ended] = await Promise.all([
    rules.list(),
    rules.settings(),
    history.firing(),
    history.ended(),
  ]);
  const checkEverySeconds = everyMs / 1000;
  return { rules: list, firing, ended, quietHours, mutedUntil, checkEverySeconds, lastCheckAt: checkedAt };
}
