import { ChartFrame } from '@ocr-router/ui/charts/chart-frame.tsx';
import { everyDay } from '@ocr-router/ui/charts/days.ts';
import { dayText, UptimeStrip } from '@ocr-router/ui/charts/uptime-strip.tsx';
import { count } from '@ocr-router/ui/format/count.ts';
import { percent } from '@ocr-router/ui/format/percent.ts';
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
              <div key={span.days} className={classes['uptimeRow']}>
                <span className={classes['uptimeSpan']}>{span.days} days</span>
                <UptimeStrip
                  label={`Uptime of ${name}, ${span.days} days`}
                  slots={everyDay(span.data, span.days, nowMs)}
                  openDate={openDate}
                  onOpenDay={setOpenDate}
                />
                <span className={classes['uptimePct']}>{percent(span.overallUptimePct)}</span>
                <span className={classes['uptimeChecks']}>{count(span.totalChecks)} checks</span>
              </div>
            ))}
          </ChartFrame>
          {openDate !== null && <DayChecks id={id} date={openDate} onClose={() => setOpenDate(null)} />}
        </div>
      )}
    </Answer>
  );
}

function tableOf(span: UptimeSpanFragment, nowMs: number) {
  const slots = [...everyDay(span.data, span.days, nowMs)].reverse();
  return { head: ['Day', 'Uptime'], rows: slots.map((slot) => splitDay(dayText(slot))) };
}

function splitDay(text: string): readonly string[] {
  const at = text.indexOf(': ');
  return [text.slice(0, at), text.slice(at + 2)];
}
