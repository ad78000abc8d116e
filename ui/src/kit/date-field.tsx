import { ActionIcon, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import classes from './date-field.module.css';
import { LineDrawing } from './line-drawing.tsx';
import { dayOf, minuteOf } from './written-time.ts';

interface DateFieldProps {
  /** Above the field. */
  readonly label?: string;
  /** Where nothing stands above it. */
  readonly name?: string;
  /** To the day, or to the minute. */
  readonly to?: 'day' | 'minute';
  /** As it is written: `2026-11-21`, `2026-11-21T14:05`; empty for none. */
  readonly value: string;
  readonly error?: string | boolean | undefined;
  /** What was written or chosen; empty for nothing. What is half written is not told: the value before it counts on. */
  readonly onChange: (value: string) => void;
  /** Told of each change, for who takes the value later. */
  readonly onHalf?: (isHalf: boolean) => void;
}

const CALENDAR = 'M3 5h14v12H3zM3 9h14M7 3v4M13 3v4';

/** A day or a minute, written alike in every language, or chosen from the browser's calendar. */
export function DateField({ label, name, to = 'day', value, error, onChange, onHalf }: DateFieldProps) {
  const [text, setText] = useState(shown(value));
  /** What is being written is not wrong yet. */
  const [isWritten, setWritten] = useState(true);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => setText(shown(value)), [value]);
  const read = to === 'day' ? dayOf : minuteOf;
  const take = (next: string): void => {
    setText(shown(next));
    setWritten(false);
    const whole = read(next);
    const isHalf = whole === null && next.trim() !== '';
    onHalf?.(isHalf);
    if (!isHalf) onChange(whole ?? '');
  };
  const pattern = to === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM-DD hh:mm';
  const isHalf = isWritten && text.trim() !== '' && read(text) === null;
  const still = value !== '' && !onHalf ? ` ${shown(value)} still counts.` : '';
  return (
    <TextInput
      label={label}
      aria-label={label === undefined ? name : undefined}
      className={classes['field']}
      placeholder={pattern}
      value={text}
      error={isHalf ? `Write it as ${pattern}.${still}` : error}
      onChange={(event) => take(event.currentTarget.value)}
      onBlur={() => setWritten(true)}
      onKeyDown={({ key }) => key === 'Enter' && setWritten(true)}
      rightSection={
        <>
          <ActionIcon size={24} aria-label="Choose from a calendar" onClick={() => show(picker.current)}>
            <LineDrawing path={CALENDAR} gridPx={20} strokeWidth={1.5} sizePx={16} />
          </ActionIcon>
          <input
            ref={picker}
            className={classes['picker']}
            type={to === 'day' ? 'date' : 'datetime-local'}
            tabIndex={-1}
            aria-hidden
            value={read(text) ?? ''}
            onChange={(event) => take(event.currentTarget.value)}
          />
        </>
      }
    />
  );
}

/** Browsers without a calendar of their own leave it to the keys. */
function show(picker: HTMLInputElement | null): void {
  try {
    picker?.showPicker();
  } catch {
    picker?.focus();
  }
}

function shown(value: string): string {
  return value.replace('T', ' ');
}
