import { duration } from '@ocr-router/ui/format/duration.ts';
import { clockTime, fullTime } from '@ocr-router/ui/format/time.ts';
import type { RequestQuery } from '../documents.generated.ts';
import classes from './requests.module.css';

const WORDS: Record<string, string> = {
  accepted: 'Accepted',
  held: 'Money reserved',
  started: 'Taken by a worker',
  document: 'Document ready',
  rendered: 'Pages rendered',
  attempt: 'Attempt ended',
  settled: 'Settled',
  delivered: 'Webhook delivered',
  delivery_failed: 'Webhook not delivered',
};

/** What happened to a request, oldest first: when it was accepted, and how long after that. */
export function Timeline({ events }: { readonly events: RequestQuery['request']['timeline'] }) {
  const firstMs = Date.parse(events[0]?.at ?? '');
  return (
    <ol className={classes['timeline']}>
      {events.map(({ at, kind, detail }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events of one kind may share their time, and only grow
        <li key={index} className={classes['event']}>
          <time dateTime={at} title={fullTime(at)} className="kit-soft">
            {index === 0 ? clockTime(at) : `+${duration(Date.parse(at) - firstMs)}`}
          </time>
          <span className={classes['eventDot']} aria-hidden />
          <span>
            {WORDS[kind] ?? kind}
            {detail && <span className="kit-soft"> · {detail}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
