import { ChartFrame } from '@ocr-router/ui/charts/chart-frame.tsx';
import { money } from '@ocr-router/ui/format/money.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useState } from 'react';
import { ChargedByDayDocument } from '../documents.generated.ts';
import { type CursorText, DayCursor } from './day-cursor.tsx';
import { ticksTo } from './engine-days.ts';
import { type MonthTrend, monthTrend, trendSpan, trendWords } from './month-trend.ts';
import chart from './usage-chart.module.css';
import { moneyTick } from './usage-words.ts';

/** The drawing's own height and width; it is as large as its place. */
const GRID = 100;

/** What was charged this month, summed up day by day, against the last month; nothing for who was charged in neither. */
export function MonthTrendChart() {
  const [span] = useState(() => trendSpan());
  const answer = useQuery(ChargedByDayDocument, { from: span.from, to: span.to });
  return (
    <Answer answer={answer} subject="The months" loadingRows={6}>
      {({ usageSummary }) => {
        const trend = monthTrend(usageSummary.byDay);
        const isEmpty = !trend.present.at(-1) && !trend.former.at(-1);
        return (
          !isEmpty && (
            <ChartFrame title="Charged this month against last" table={() => tableOf(trend)}>
              <Lines trend={trend} />
            </ChartFrame>
          )
        );
      }}
    </Answer>
  );
}

function Lines({ trend }: { readonly trend: MonthTrend }) {
  const { present, former } = trend;
  const days = daysIn(trend);
  const ticks = ticksTo(Math.max(present.at(-1) ?? 0, former.at(-1) ?? 0));
  const top = ticks.at(-1) || 1;
  const path = (sums: readonly number[]) =>
    sums.map((sum, index) => `${((index + 0.5) / days) * GRID},${GRID - (sum / top) * GRID}`).join(' ');
  const words = trendWords(trend);
  return (
    <div className={chart['chart']}>
      <ul className={chart['legend']}>
        <li data-engine={0}>This month</li>
        <li data-engine={1}>Last month, dashed</li>
      </ul>
      <p className={chart['readout']}>{words}</p>
      <DayCursor
        label={`Charged this month against last: ${words}; the figures are in the table`}
        days={days}
        textOf={(index) => cursorText(trend, index)}
        heightOf={(index) => Math.max(present[index] ?? 0, former[index] ?? 0) / top}
      >
        {(active) => (
          <>
            {ticks.map((tick) => (
              <div key={tick} className={chart['line']} style={{ bottom: `${(tick / top) * 100}%` }}>
                <span>{moneyTick(tick)}</span>
              </div>
            ))}
            <div className={chart['bars']}>
              {Array.from({ length: days }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the place is the day
                <div key={index} className={chart['bar']} data-active={index === active} />
              ))}
            </div>
            <svg className={chart['sums']} viewBox={`0 0 ${GRID} ${GRID}`} preserveAspectRatio="none" aria-hidden>
              <polyline data-engine={1} points={path(former)} strokeDasharray="5 4" />
              <polyline data-engine={0} points={path(present)} />
            </svg>
          </>
        )}
      </DayCursor>
      <div className={chart['foot']}>
        <span>Day 1</span>
        <span>Day {days}</span>
      </div>
    </div>
  );
}

function cursorText({ present, former }: MonthTrend, index: number): CursorText {
  const lines = [
    { engine: 0, name: 'This month', text: sumText(present[index]) },
    { engine: 1, name: 'Last month', text: sumText(former[index]) },
  ];
  return { title: `Up to day ${index + 1} (UTC)`, lines };
}

function daysIn({ present, former }: MonthTrend): number {
  return Math.max(present.length, former.length);
}

function sumText(sum: number | undefined): string {
  return sum === undefined ? '–' : money(sum);
}

/** The last day first, as in the chart of days. */
function tableOf(trend: MonthTrend) {
  const days = Array.from({ length: daysIn(trend) }, (_, index) => index).toReversed();
  return {
    head: ['Up to day (UTC)', 'This month', 'Last month'],
    rows: days.map((index) => [String(index + 1), sumText(trend.present[index]), sumText(trend.former[index])]),
  };
}
