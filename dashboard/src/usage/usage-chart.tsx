import { SegmentedControl } from '@mantine/core';
import { ChartFrame } from '@ocr-router/ui/charts/chart-frame.tsx';
import { count, plural, shortCount } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { utcDay } from '@ocr-router/ui/format/time.ts';
import { useMemo, useState } from 'react';
import type { UsageSummaryQuery } from '../documents.generated.ts';
import { type CursorText, DayCursor } from './day-cursor.tsx';
import { type Measure, type StackedDay, type StackedDays, stackDays } from './engine-days.ts';
import classes from './usage-chart.module.css';
import { moneyTick, NOT_READ, NOT_READ_CHARGED } from './usage-words.ts';

type Summary = UsageSummaryQuery['usageSummary'];

interface UsageChartProps {
  readonly title: string;
  readonly days: readonly string[];
  readonly summary: Summary;
}

const MEASURES: readonly { readonly value: Measure; readonly label: string }[] = [
  { value: 'cost', label: 'Charged' },
  { value: 'requests', label: 'Requests' },
  { value: 'pages', label: 'Pages' },
];

/** Beside each other without gaps, so that they fit a narrow screen. */
const MANY_DAYS = 60;

/** What was used day by day, each bar made of its engines. */
export function UsageChart({ title, days, summary }: UsageChartProps) {
  const [measure, setMeasure] = useState<Measure>('cost');
  const stacked = useMemo(() => stackDays(days, summary.byDayAndEngine, measure), [days, summary, measure]);
  const controls = (
    <SegmentedControl
      aria-label="What is shown"
      size="xs"
      data={[...MEASURES]}
      value={measure}
      onChange={(value) => setMeasure(MEASURES.find((each) => each.value === value)?.value ?? 'cost')}
    />
  );
  return (
    <ChartFrame title={title} controls={controls} table={() => tableOf(days, summary, stacked, measure)}>
      <Bars stacked={stacked} measure={measure} />
    </ChartFrame>
  );
}

function Bars({ stacked, measure }: { readonly stacked: StackedDays; readonly measure: Measure }) {
  const { engines, stacks, ticks } = stacked;
  const top = ticks.at(-1) || 1;
  const [first, last] = [stacks[0]?.date ?? '', stacks.at(-1)?.date ?? ''];
  return (
    <div className={classes['chart']}>
      <ul className={classes['legend']}>
        {engines.map((engine, place) => (
          <li key={engine} data-engine={place}>
            {engine}
          </li>
        ))}
      </ul>
      <p className={classes['readout']}>{greatestText(stacks, measure)}</p>
      <DayCursor
        label={`${measureName(measure)} by day and engine, ${first} to ${last}; the figures are in the table`}
        days={stacks.length}
        textOf={(index) => cursorText(stacks[index], engines, measure)}
        heightOf={(index) => (stacks[index]?.total ?? 0) / top}
      >
        {(active) => (
          <>
            {ticks.map((tick) => (
              <div key={tick} className={classes['line']} style={{ bottom: `${(tick / top) * 100}%` }}>
                <span>{axisText(measure, tick)}</span>
              </div>
            ))}
            <div className={classes['bars']} data-dense={stacks.length > MANY_DAYS}>
              {stacks.map((day, index) => (
                <div key={day.date} className={classes['bar']} data-active={index === active}>
                  {day.parts.map((part, place) => (
                    <div key={engines[place]} data-engine={place} style={{ height: `${(part / top) * 100}%` }} />
                  ))}
                </div>
              ))}
            </div>
          </>
        )}
      </DayCursor>
      <div className={classes['foot']}>
        {labelledDays(stacks).map((date) => (
          <span key={date}>{utcDay(date)}</span>
        ))}
      </div>
    </div>
  );
}

/** The first day, the middle and the last, as far as there are so many. */
function labelledDays(stacks: readonly StackedDay[]): readonly string[] {
  const places = [0, Math.floor((stacks.length - 1) / 2), stacks.length - 1];
  return [...new Set(places)].flatMap((place) => stacks[place]?.date ?? []);
}

function measureName(measure: Measure): string {
  return MEASURES.find(({ value }) => value === measure)?.label ?? measure;
}

function textOf(measure: Measure, value: number): string {
  return measure === 'cost' ? money(value) : count(value);
}

function axisText(measure: Measure, value: number): string {
  return measure === 'cost' ? moneyTick(value) : shortCount(value);
}

/** A day, and what each engine had of it. */
function cursorText(day: StackedDay | undefined, engines: readonly string[], measure: Measure): CursorText {
  if (day === undefined) return { title: '', lines: [] };
  const parts = engines.map((name, engine) => ({ engine, name, value: day.parts[engine] ?? 0 }));
  const lines = parts.filter(({ value }) => value > 0).map((part) => ({ ...part, text: textOf(measure, part.value) }));
  return { title: dayText(day, measure), lines };
}

function dayText({ date, total }: StackedDay, measure: Measure): string {
  return `${utcDay(date)} (UTC): ${valueText(total, measure)}`;
}

function greatestText(stacks: readonly StackedDay[], measure: Measure): string {
  const most = stacks.reduce<StackedDay | null>((top, day) => (day.total > (top?.total ?? 0) ? day : top), null);
  if (most === null) return 'Nothing in these days';
  return `Most on ${utcDay(most.date)} (UTC): ${valueText(most.total, measure)}`;
}

function valueText(value: number, measure: Measure): string {
  if (measure === 'cost') return money(value);
  return plural(value, measure === 'requests' ? 'request' : 'page');
}

/** The newest day first: what it was in all, and what each engine had of what is shown. */
function tableOf(days: readonly string[], { byDay }: Summary, { engines, stacks }: StackedDays, measure: Measure) {
  const totals = new Map(byDay.map((slice) => [slice.of, slice]));
  const parts = new Map(stacks.map((stack) => [stack.date, stack.parts]));
  return {
    head: ['Day (UTC)', 'Charged', 'Requests', 'Pages', NOT_READ, NOT_READ_CHARGED, ...engines],
    rows: days.toReversed().map((date) => {
      const day = totals.get(date);
      return [
        date,
        money(day?.cost ?? 0),
        count(day?.requests ?? 0),
        count(day?.pages ?? 0),
        count(day?.failed ?? 0),
        money(day?.chargedOnFailures ?? 0),
        ...(parts.get(date) ?? []).map((part) => textOf(measure, part)),
      ];
    }),
  };
}
