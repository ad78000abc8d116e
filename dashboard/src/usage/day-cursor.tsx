import { type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import classes from './usage-chart.module.css';

/** What stands beside the cursor. */
export interface CursorText {
  readonly title: string;
  readonly lines: readonly { readonly engine: number; readonly name: string; readonly text: string }[];
}

interface DayCursorProps {
  /** What is drawn, and that arrows move through it. */
  readonly label: string;
  readonly days: number;
  readonly textOf: (index: number) => CursorText;
  /** How high a day's drawing is, from 0 to 1: beside its top the words stand that keys ask for. */
  readonly heightOf: (index: number) => number;
  /** What is drawn, with the day that is pointed at. */
  readonly children: (active: number | null) => ReactNode;
}

interface Place {
  readonly index: number;
  /** From the drawing's top, 0 to 1. */
  readonly top: number;
}

/** A drawing of days that says beside the pointer, or beside the day that arrows have reached, what the day was. */
export function DayCursor({ label, days, textOf, heightOf, children }: DayCursorProps) {
  const [place, setPlace] = useState<Place | null>(null);
  const active = place === null ? null : Math.min(place.index, days - 1);
  const text = active === null ? null : textOf(active);
  const reach = (index: number): void => {
    const next = Math.min(days - 1, Math.max(0, index));
    setPlace({ index: next, top: 1 - Math.min(1, heightOf(next)) });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setPlace(null);
    const next = keyTarget(event.key, active ?? days - 1, days);
    if (next === undefined) return;
    event.preventDefault();
    reach(next);
  };
  const onMouseMove = (event: MouseEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - box.left) / box.width) * days);
    setPlace({ index: Math.min(days - 1, Math.max(0, index)), top: (event.clientY - box.top) / box.height });
  };
  return (
    <div
      className={classes['plot']}
      role="slider"
      aria-readonly
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={days}
      aria-valuenow={(active ?? days - 1) + 1}
      aria-valuetext={text === null ? undefined : sentence(text)}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) => event.currentTarget.matches(':focus-visible') && reach(active ?? days - 1)}
      onBlur={() => setPlace(null)}
    >
      {children(active)}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the drawing around it has the keys */}
      <div className={classes['field']} onMouseMove={onMouseMove} onMouseLeave={() => setPlace(null)}>
        {text !== null && place !== null && <Tip {...text} style={beside({ ...place, index: active ?? 0 }, days)} />}
      </div>
    </div>
  );
}

function Tip({ title, lines, style }: CursorText & { readonly style: CSSProperties }) {
  return (
    <div className={classes['tip']} style={style} aria-hidden data-tip>
      <strong>{title}</strong>
      {lines.map(({ engine, name, text }) => (
        <span key={name} data-engine={engine}>
          <span>{name}</span>
          <span>{text}</span>
        </span>
      ))}
    </div>
  );
}

/** Over or under the pointer, never beyond the first or the last day: as far to the left of it as the day is in the drawing. */
function beside({ index, top }: Place, days: number): CSSProperties {
  const left = ((index + 0.5) / days) * 100;
  const edge = top > 0.5 ? { bottom: `calc(${(1 - top) * 100}% + 10px)` } : { top: `calc(${top * 100}% + 18px)` };
  return { ...edge, left: `${left}%`, transform: `translateX(-${left}%)` };
}

function sentence({ title, lines }: CursorText): string {
  return [title, ...lines.map(({ name, text }) => `${name} ${text}`)].join(', ');
}

function keyTarget(key: string, index: number, days: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowUp') return index + 1;
  if (key === 'ArrowLeft' || key === 'ArrowDown') return index - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? days - 1 : undefined;
}
