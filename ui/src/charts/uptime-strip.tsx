import { type CSSProperties, type KeyboardEvent, useId, useState } from 'react';
import { count, plural } from '../format/count.ts';
import { percent } from '../format/percent.ts';
import { utcDay } from '../format/time.ts';
import classes from './charts.module.css';
import { type DaySlot, dayLook, failedHeight } from './days.ts';

interface UptimeStripProps {
  readonly label: string;
  readonly slots: readonly DaySlot[];
  readonly heightPx?: number;
  /** The day that is open below the strip. */
  readonly openDate?: string | null;
  /** Every day opens, good ones too. */
  readonly onOpenDay?: (date: string) => void;
}

/** From here on the bars stand close, or they would not be seen. */
const MANY_DAYS = 120;

/** Days as bars of one height, told apart by colour and pattern: one tab stop, arrows move, Enter opens. */
export function UptimeStrip({ label, slots, heightPx = 28, openDate, onOpenDay }: UptimeStripProps) {
  const id = useId();
  const [active, setActive] = useState(slots.length - 1);
  const current = Math.min(active, slots.length - 1);
  return (
    <div
      role="listbox"
      aria-label={label}
      aria-orientation="horizontal"
      tabIndex={0}
      aria-activedescendant={`${id}-${current}`}
      className={classes['strip']}
      data-dense={slots.length > MANY_DAYS}
      style={{ height: heightPx }}
      onKeyDown={(event) => onKey(event)}
    >
      {slots.map((slot, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the strip has the keys, for all of its days
        // biome-ignore lint/a11y/useFocusableInteractive: the strip is the one tab stop
        <div
          key={slot.date}
          id={`${id}-${index}`}
          role="option"
          aria-selected={slot.date === openDate}
          aria-label={dayText(slot)}
          title={dayText(slot)}
          className={classes['day']}
          data-look={dayLook(slot.day)}
          style={failedStyle(slot)}
          data-active={index === current}
          onClick={() => {
            setActive(index);
            onOpenDay?.(slot.date);
          }}
        />
      ))}
    </div>
  );

  function onKey(event: KeyboardEvent): void {
    const target = targetOf(event.key, current, slots.length);
    if (target !== undefined) {
      event.preventDefault();
      setActive(Math.min(slots.length - 1, Math.max(0, target)));
      return;
    }
    const slot = slots[current];
    if (slot && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      onOpenDay?.(slot.date);
    }
  }
}

/** How high the failed part of a day is drawn. */
function failedStyle({ day }: DaySlot): CSSProperties | undefined {
  if (day === null || failedHeight(day) === 0) return undefined;
  return { '--failed': `${failedHeight(day)}%` } as CSSProperties; // which knows no custom properties
}

/** `Sat 21 Nov: 99.95 %, 1,439 of 1,440 checks`. */
export function dayText(slot: DaySlot): string {
  return `${utcDay(slot.date)}: ${checksText(slot)}`;
}

/** `99.95 %, 1,439 of 1,440 checks`. */
export function checksText({ day }: DaySlot): string {
  if (day === null || day.checksTotal === 0) return 'no checks';
  return `${percent(day.uptimePct)}, ${count(day.checksHealthy)} of ${plural(day.checksTotal, 'check')}`;
}

function targetOf(key: string, index: number, length: number): number | undefined {
  if (key === 'ArrowRight') return index + 1;
  if (key === 'ArrowLeft') return index - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  return undefined;
}
