import { duration } from '@ocr-router/ui/format/duration.ts';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import type { DetailedRequestFragment } from '../../documents.generated.ts';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';
import classes from './requests.module.css';
import { SHARE_NAMES, type TimeSplit, timeSplit, whySlow } from './time-split.ts';
import { type TimelineBar, timelineBars } from './timeline-bars.ts';
import { UsualTime } from './usual-time.tsx';

const EVENT_WORDS: Record<string, string> = {
  accepted: 'accepted',
  held: 'money reserved',
  started: 'taken by a worker',
  document: 'document ready',
  rendered: 'pages rendered',
  attempt: 'attempt ended',
  settled: 'settled',
  delivered: 'webhook delivered',
  delivery_failed: 'webhook not delivered',
};

/** What happened when, and where the time went. */
export function RequestTimeline({ request }: { readonly request: DetailedRequestFragment }) {
  const nowMs = useNow(request.finishedAt ? 60_000 : 1000);
  const split = timeSplit(request, nowMs);
  const acceptedMs = Date.parse(request.createdAt);
  return (
    <>
      <Section title="Timeline">
        <Bars bars={timelineBars(request, nowMs)} totalMs={split.totalMs} />
        <ol className={classes['events']}>
          {request.timeline.map(({ at, kind, detail }) => (
            <li key={`${at} ${kind} ${detail}`}>
              <time className={classes['eventAt']} dateTime={at} title={fullTime(at)}>
                +{duration(Date.parse(at) - acceptedMs)}
              </time>
              <span>
                {EVENT_WORDS[kind] ?? kind}
                {detail && <span className="kit-soft"> {detail}</span>}
              </span>
            </li>
          ))}
        </ol>
      </Section>
      <WhySlow split={split} request={request} />
    </>
  );
}

/** What overlapped what, drawn; how long each took stands under "Why is it slow?" and with the attempts. */
function Bars({ bars, totalMs }: { readonly bars: readonly TimelineBar[]; readonly totalMs: number }) {
  const part = (ms: number): string => `${totalMs === 0 ? 0 : (100 * ms) / totalMs}%`;
  return (
    <div className={classes['bars']}>
      {bars.map(({ name, share, fromMs, ms, isTrouble }) => [
        <span key={`${name} name`} className={classes['barName']} title={name}>
          {name}
        </span>,
        <span key={`${name} bar`} className={classes['barTrack']} title={duration(ms)} aria-hidden>
          <span
            className={classes['bar']}
            data-share={share}
            data-trouble={isTrouble}
            style={{ left: part(Math.min(fromMs, totalMs)), width: part(ms) }}
          />
        </span>,
      ])}
    </div>
  );
}

interface WhySlowProps {
  readonly split: TimeSplit;
  readonly request: DetailedRequestFragment;
}

function WhySlow({ split, request }: WhySlowProps) {
  const { totalMs, shares } = split;
  return (
    <Section title="Why is it slow?">
      <p className={panel['words']}>
        {duration(totalMs)}
        {request.finishedAt ? ' in all. ' : ' so far. '}
        {whySlow(split)}
      </p>
      <UsualTime request={request} />
      <div className={classes['split']} aria-hidden>
        {shares.map(({ share, ms }) => (
          <span key={share} className={classes['splitPart']} data-share={share} style={{ flexGrow: ms }} />
        ))}
      </div>
      <div className={classes['shares']}>
        {shares.map(({ share, ms }) => [
          <span key={share} className={classes['share']} data-share={share}>
            {SHARE_NAMES[share]}
          </span>,
          <span key={`${share} ms`}>{duration(ms)}</span>,
          <span key={`${share} part`} className="kit-soft">
            {totalMs === 0 ? '–' : `${Math.round((100 * ms) / totalMs)} %`}
          </span>,
        ])}
      </div>
    </Section>
  );
}
