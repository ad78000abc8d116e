import { ChartFrame } from '@ocr-router/ui/charts/chart-frame.tsx';
import { count, plural } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { utcDay } from '@ocr-router/ui/format/time.ts';
import { useState } from 'react';
import type { UsageFiguresFragment } from '../documents.generated.ts';
import classes from './usage.module.css';
import { NOT_READ, NOT_READ_CHARGED } from './usage-words.ts';

interface DayBarsProps {
  readonly days: readonly string[];
  readonly slices: readonly UsageFiguresFragment[];
}

const NOTHING = { requests: 0, pages: 0, failed: 0, cost: 0, chargedOnFailures: 0 };

/** What each day cost; the part for what was not read is hatched. */
export function DayBars({ days, slices }: DayBarsProps) {
  const [hovered, setHovered] = useState<string | null>(null);
  const byDay = new Map(slices.map((slice) => [slice.of, slice]));
  const values = days.map((date) => ({ ...(byDay.get(date) ?? NOTHING), date }));
  const top = Math.max(...values.map(({ cost }) => cost), Number.MIN_VALUE);
  const shown = values.find(({ date }) => date === hovered);
  const table = () => ({
    head: ['Day (UTC)', 'Spent', 'Requests', 'Pages', NOT_READ, NOT_READ_CHARGED],
    rows: [...values]
      .reverse()
      .map((day) => [
        day.date,
        money(day.cost),
        count(day.requests),
        count(day.pages),
        count(day.failed),
        money(day.chargedOnFailures),
      ]),
  });
  return (
    <ChartFrame title="By day" table={table}>
      <p className={classes['readout']}>
        {shown
          ? `${utcDay(shown.date)}: ${money(shown.cost)} for ${plural(shown.requests, 'request')}`
          : `Dearest day: ${money(slices.length > 0 ? top : 0)}`}
      </p>
      <div
        className={classes['bars']}
        role="img"
        aria-label={`Spent by day, ${days[0]} to ${days.at(-1)}; the figures are in the table`}
        onMouseLeave={() => setHovered(null)}
      >
        {values.map(({ date, cost, chargedOnFailures }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: by keys the days are reached in the table
          <div key={date} className={classes['bar']} onMouseEnter={() => setHovered(date)}>
            <div className={classes['barFailed']} style={{ height: `${(chargedOnFailures / top) * 100}%` }} />
            <div className={classes['barPaid']} style={{ height: `${((cost - chargedOnFailures) / top) * 100}%` }} />
          </div>
        ))}
      </div>
      <div className={classes['barsFoot']}>
        <span>{days[0] && utcDay(days[0])}</span>
        <span>{days.length > 0 && utcDay(days.at(-1) ?? '')}</span>
      </div>
    </ChartFrame>
  );
}
