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
      <Counter
        name="Waiting"
        figure={count(queued)}
        words={queued === 0 ? 'the queue is empty' : 'requests in the queue'}
      />
      <Counter name="Running" figure={count(running)} words={`on ${busy} of ${plural(workers.length, 'worker')}`} />
      <Counter
        name="Longest wait"
        figure={queued === 0 ? '–' : duration(oldestSeconds * 1000)}
        words={queued === 0 ? 'nothing is waiting' : 'of the oldest in the queue'}
      />
      <Counter
        name="Finished runs"
        figure={count(overview.requests)}
        words={`since ${shortTime(overview.since)}`}
        more={overview.requests === 0 ? undefined : `${share(overview.errorRate)} errors`}
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
  /** On a line of its own; only it is marked. */
  readonly more?: string | undefined;
  readonly isBad?: boolean;
}

function Counter({ name, figure, words, more, isBad = false }: CounterProps) {
  return (
    <div className={`kit-panel ${classes['counter']}`}>
      <dt className={classes['counterName']}>{name}</dt>
      <dd className={classes['figure']}>{figure}</dd>
      <dd className={classes['counterWords']}>{words}</dd>
      {more !== undefined && (
        <dd className={classes['counterWords']} data-bad={isBad}>
          {more}
        </dd>
      )}
    </div>
  );
}

function drainWords(queued: number, drainMs: number | null): string {
  if (queued === 0) return 'nothing is waiting';
  return drainMs === null ? 'nothing ended in the last hour' : 'at the rate of the last hour';
}
