import { count } from '@ocr-router/ui/format/count.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { engineState } from '@ocr-router/ui/status/engine-state.ts';
import { isHighErrorRate } from '@ocr-router/ui/status/error-rate.ts';
import { Link } from 'wouter';
import type { OverviewChangeQuery, OverviewQuery } from '../../documents.generated.ts';
import type { TimeRange } from '../navigation/time-range.ts';
import classes from './overview.module.css';
import { chargeChange, failuresWords, latencyChange, runsWords, WHOLE_HOURS } from './overview-words.ts';

interface SentencesProps {
  readonly now: OverviewQuery;
  /** Null until it is known. */
  readonly change: OverviewChangeQuery['periodComparison'] | null;
  readonly range: TimeRange;
}

/** Engines, latency, queue and money: a number in a sentence each, which leads to its page. */
export function Sentences({ now, change, range }: SentencesProps) {
  const { overview } = now;
  return (
    <div className={classes['sentences']}>
      <Sentence href="/engines" {...enginesSentence(now)} />
      <Sentence
        href="/engines?view=table"
        figure={duration(overview.p95Ms)}
        words={`p95 per page, ${range.words}`}
        more={runsWords(overview)}
        isBad={isHighErrorRate(overview)}
        change={change && latencyChange(change, overview.p95Ms)}
      />
      <Sentence href="/queue" {...queueSentence(now)} />
      <Sentence
        href="/accounts"
        figure={money(overview.spent)}
        words={`charged ${range.words}`}
        more={failuresWords(overview)}
        change={change && chargeChange(change, overview.spent)}
      />
    </div>
  );
}

interface SentenceProps {
  readonly href: string;
  readonly figure: string;
  readonly words: string;
  readonly more: string;
  /** How that was before. */
  readonly change?: string | null;
  /** What is said beside the figure needs to be seen. */
  readonly isBad?: boolean;
}

function Sentence({ href, figure, words, more, change, isBad = false }: SentenceProps) {
  return (
    <Link href={href} className={`kit-panel ${classes['sentence']}`}>
      <span className={classes['figure']}>{figure}</span>
      <span className={classes['words']}>{words}</span>
      <span className={classes['more']} data-bad={isBad}>
        {more}
      </span>
      {change && (
        <span className={classes['more']} title={WHOLE_HOURS}>
          {change}
        </span>
      )}
    </Link>
  );
}

function enginesSentence({ engines }: OverviewQuery): Omit<SentenceProps, 'href'> {
  const states = engines.map(({ health, obstacle }) => engineState({ health: health.status, obstacle }));
  const number = (state: string): number => states.filter((other) => other === state).length;
  const others = [
    [number('down'), 'down'],
    [number('degraded'), 'degraded'],
    [number('no-data'), 'without data'],
    [number('disabled'), 'disabled'],
  ].filter(([many]) => many !== 0);
  return {
    isBad: number('down') > 0,
    figure: `${number('healthy')} of ${engines.length}`,
    words: 'engines healthy',
    more: others.length === 0 ? 'none is down' : others.map(([many, state]) => `${many} ${state}`).join(', '),
  };
}

function queueSentence({ queues }: OverviewQuery): Omit<SentenceProps, 'href'> {
  const queued = queues.reduce((sum, queue) => sum + queue.queued, 0);
  const running = queues.reduce((sum, queue) => sum + queue.running, 0);
  const oldest = Math.max(0, ...queues.map(({ oldestAgeSeconds }) => oldestAgeSeconds ?? 0));
  const wait = queued === 0 ? 'nothing waits' : `oldest ${duration(oldest * 1000)}`;
  const more = queued + running === 0 ? 'nothing waits or runs' : `${wait}, ${count(running)} at work`;
  return { figure: count(queued), words: 'in the queue', more };
}
