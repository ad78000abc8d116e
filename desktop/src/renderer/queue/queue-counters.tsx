import { count, plural } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { isHighErrorRate } from '@ocr-router/ui/status/error-rate.ts';
import type { QueueQuery } from '../../documents.generated.ts';
import { drainEstimateMs } from './drain-estimate.ts';
import classes from './queue.module.css';

interface QueueCountersProps {
  readonly now: QueueQuery;
  readonly nowMs: number;
}

/** The queue in figures, and how much has gone through it lately. */
export function QueueCounters({ now, nowMs }: QueueCountersProps) {
  const { queues, workers, overview } = now;
  const queued = queues.reduce((sum, queue) => sum + queue.queued, 0);
  const running = queues.reduce((sum, queue) => sum + queue.running, 0);
  const oldestSeconds = Math.max(0, ...queues.map(({ oldestAgeSeconds }) => oldestAgeSeconds ?? 0));
  const drainMs = drainEstimateMs({ queued, ended: overview.requests, sinceMs: Date.parse(overview.since), nowMs });
  const busy = workers.filter((worker) => worker.running > 0).length;
  return (
    <dl className={classes['counters']}>
      <Counter name="Waiting" figure={count(queued)} words={queued === 0 ? 'nobody waits' : 'requests in the queue'} />
      <Counter name="At work" figure={count(running)} words={`on ${busy} of ${plural(workers.length, 'worker')}`} />
      <Counter
        name="Oldest waits"
        figure={queued === 0 ? '–' : duration(oldestSeconds * 1000)}
        words={queued === 0 ? 'nobody waits' : 'since its acceptance'}
      />
      <Counter
        name="Done lately"
        figure={count(overview.requests)}
        words={`runs since ${shortTime(overview.since)}${overview.requests === 0 ? '' : `, ${share(overview.errorRate)} errors`}`}
        isBad={isHighErrorRate(overview)}
      />
      <Counter
        name="Empty in"
        figure={queued === 0 ? '–' : drainMs === null ? 'unknown' : `about ${duration(drainMs)}`}
        words={drainWords(queued, drainMs)}
      />
    </dl>
  );
}

interface CounterProps {
  readonly name: string;
  readonly figure: string;
  readonly words: string;
  readonly isBad?: boolean;
}

function Counter({ name, figure, words, isBad = false }: CounterProps) {
  return (
    <div className={`kit-panel ${classes['counter']}`}>
      <dt className={classes['counterName']}>{name}</dt>
      <dd className={classes['figure']}>{figure}</dd>
      <dd className={classes['counterWords']} data-bad={isBad}>
        {words}
      </dd>
    </div>
  );
}

function drainWords(queued: number, drainMs: number | null): string {
  if (queued === 0) return 'nobody waits';
  return drainMs === null ? 'nothing ended in the last hour' : 'at the rate of the last hour';
}
