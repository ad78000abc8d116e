import { ChartFrame } from '@ocr-router/ui/charts/chart-frame.tsx';
import { everyDay, worstDay } from '@ocr-router/ui/charts/days.ts';
import { checksText, UptimeStrip } from '@ocr-router/ui/charts/uptime-strip.tsx';
import { plural } from '@ocr-router/ui/format/count.ts';
import { percent } from '@ocr-router/ui/format/percent.ts';
import { utcDate, utcDay } from '@ocr-router/ui/format/time.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { EngineUptimeDocument, type UptimeSpanFragment } from '../../documents.generated.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { DayChecks } from './day-checks.tsx';
import classes from './engines.module.css';

interface UptimeTabProps {
  readonly id: string;
  readonly name: string;
}

/** 30, 90 and 365 days; number and bars of a row come from the same answer, and every day opens. */
export function UptimeTab({ id, name }: UptimeTabProps) {
  const answer = useQuery(EngineUptimeDocument, { id });
  const [openDate, setOpenDate] = useSearchParam('day');
  const nowMs = useNow(60_000);
  return (
    <Answer subject="The uptime" answer={answer} loadingRows={6}>
      {({ month, quarter, year }) => (
        <div className={classes['uptimeRows']}>
          <ChartFrame title="Uptime by day" table={() => tableOf(year, nowMs)}>
            {[month, quarter, year].map((span) => (
              <SpanRow
                key={span.days}
                span={span}
                name={name}
                nowMs={nowMs}
                openDate={openDate}
                onOpenDay={setOpenDate}
              />
            ))}
          </ChartFrame>
          {openDate !== null && <DayChecks id={id} date={openDate} onClose={() => setOpenDate(null)} />}
        </div>
      )}
    </Answer>
  );
}

interface SpanRowProps {
  readonly span: UptimeSpanFragment;
  readonly name: string;
  readonly nowMs: number;
  readonly openDate: string | null;
  readonly onOpenDay: (date: string) => void;
}

/** One strip, with its first and last day under it, and the worst one, which opens. */
function SpanRow({ span, name, nowMs, openDate, onOpenDay }: SpanRowProps) {
  const { days, data, overallUptimePct, totalChecks } = span;
  const slots = everyDay(data, days, nowMs);
  const worst = worstDay(slots);
  const day = days > 300 ? utcDate : utcDay; // a year's first day is one of last year
  return (
    <div className={classes['uptimeRow']}>
      <span className={classes['uptimeSpan']}>{days} days</span>
      <UptimeStrip label={`Uptime of ${name}, ${days} days`} slots={slots} openDate={openDate} onOpenDay={onOpenDay} />
      <span className={classes['uptimePct']}>{percent(overallUptimePct)}</span>
      <span className={classes['uptimeChecks']}>{plural(totalChecks, 'check')}</span>
      <span className={classes['uptimeDates']}>
        <span>{day(slots[0]?.date ?? '')}</span>
        {worst && (
          <button type="button" className={classes['worstDay']} onClick={() => onOpenDay(worst.date)}>
            worst: {day(worst.date)}, {percent(worst.uptimePct)}
          </button>
        )}
        <span>today</span>
      </span>
    </div>
  );
}

function tableOf(span: UptimeSpanFragment, nowMs: number) {
  const slots = [...everyDay(span.data, span.days, nowMs)].reverse();
  return { head: ['Day', 'Uptime'], rows: slots.map((slot) => [utcDay(slot.date), checksText(slot)]) };
}
