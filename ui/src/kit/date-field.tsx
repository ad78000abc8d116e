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
  /** What was written or chosen; empty for nothing. What is half written is not told. */
  readonly onChange: (value: string) => void;
}

const CALENDAR = 'M3 5h14v12H3zM3 9h14M7 3v4M13 3v4';

/** A day or a minute, written alike in every language, or chosen from the browser's calendar. */
export function DateField({ label, name, to = 'day', value, error, onChange }: DateFieldProps) {
  const [text, setText] = useState(shown(value));
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => setText(shown(value)), [value]);
  const read = to === 'day' ? dayOf : minuteOf;
  const take = (next: string): void => {
    setText(shown(next));
    const whole = read(next);
    if (whole !== null || next.trim() === '') onChange(whole ?? '');
  };
  return (
    <TextInput
      label={label}
      aria-label={label === undefined ? name : undefined}
      className={classes['field']}
      placeholder={to === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM-DD hh:mm'}
      value={text}
      error={error ?? (text !== '' && read(text) === null ? true : undefined)}
      onChange={(event) => take(event.currentTarget.value)}
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
