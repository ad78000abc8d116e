import { Select } from '@mantine/core';
import { AreaChart } from '@ocr-router/ui/charts/area-chart.tsx';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { type Answered, useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { useMemo, useState } from 'react';
import type { QueueQuery } from '../../documents.generated.ts';
import { QueueHistoryDocument, type QueueHistoryQuery } from '../../documents.generated.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import { acrossSpan } from './across-span.ts';
import classes from './queue.module.css';
import { withGaps } from './with-gaps.ts';

/** As long as the gateway keeps samples. */
const MOST_HOURS = 168;
const POLL_MS = 60_000;
const HOUR_MS = 3_600_000;

/** How many waited and for how long, over the time range, of all engines together or of one. */
export function QueueHistory({ engines }: Pick<QueueQuery, 'engines'>) {
  const [range] = useTimeRange();
  const [engine, setEngine] = useState<string | null>(null);
  const hours = Math.min(range.hours, MOST_HOURS);
  const answer = useQuery(QueueHistoryDocument, { hours, engine });
  usePolling(answer.refetch, POLL_MS);
  const choice = (
    <Select
      aria-label="Engine"
      placeholder="All engines"
      w={160}
      clearable
      data={engines.map(({ id, name }) => ({ value: id, label: name }))}
      value={engine}
      onChange={setEngine}
    />
  );
  return (
    <section aria-labelledby="queue-history">
      <header className={classes['historyHead']}>
        <h2 id="queue-history" className={classes['heading']}>
          {range.hours > MOST_HOURS ? 'In the last 7 days: samples go no further back' : capital(range.words)}
        </h2>
        {choice}
      </header>
      <Samples answer={answer} hours={hours} />
    </section>
  );
}

/** Within the page's answer, which already says when it is of. */
function Samples({ answer, hours }: { readonly answer: Answered<QueueHistoryQuery>; readonly hours: number }) {
  const { data, failure, refetch } = answer;
  if (data == null) {
    if (failure === undefined) return <Loading rows={5} label="The queue’s history: loading" />;
    return <Failed title="The history could not be loaded" message={failureText(failure)} onRetry={refetch} />;
  }
  if (data.queueHistory.length > 0) return <Charts samples={data.queueHistory} hours={hours} />;
  return (
    <div className="kit-panel">
      <Empty title="No samples yet">The gateway samples the queue every 5 seconds.</Empty>
    </div>
  );
}

interface ChartsProps {
  readonly samples: QueueHistoryQuery['queueHistory'];
  readonly hours: number;
}

function Charts({ samples, hours }: ChartsProps) {
  const { depth, oldest } = useMemo(() => {
    const nowMs = Date.now();
    const span = { fromMs: nowMs - hours * HOUR_MS, toMs: nowMs };
    const line = (measureOf: (sample: (typeof samples)[number]) => number) =>
      acrossSpan(withGaps(samples.map((sample) => ({ atMs: Date.parse(sample.at), value: measureOf(sample) }))), span);
    return {
      depth: line(({ queuedMax }) => queuedMax),
      oldest: line(({ oldestAgeSeconds }) => oldestAgeSeconds ?? 0),
    };
  }, [samples, hours]);
  return (
    <div className={classes['charts']}>
      <AreaChart title="Requests waiting" measure="Most at once" points={depth} text={wholeText} />
      <AreaChart title="Longest wait" measure="Oldest request" points={oldest} text={secondsText} />
    </div>
  );
}

function wholeText(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

function secondsText(seconds: number): string {
  return duration(seconds * 1000);
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
