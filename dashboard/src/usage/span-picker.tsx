import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isSpan, lastDays, type Span } from './span.ts';
import classes from './usage.module.css';

const CHOICES = [7, 30, 90];

interface SpanPickerProps {
  readonly span: Span;
  readonly onChange: (span: Span) => void;
}

/** Which days: the last few, or any two of one's own. */
export function SpanPicker({ span, onChange }: SpanPickerProps) {
  const [draft, setDraft] = useState(span);
  const chosen = CHOICES.find((days) => lastDays(days).from === span.from && lastDays(days).to === span.to);
  const take = (next: Span): void => {
    setDraft(next);
    if (isSpan(next)) onChange(next);
  };
  const error = isSpan(draft) ? undefined : true;
  return (
    <div className={classes['span']}>
      <SegmentedControl
        aria-label="Days"
        data={CHOICES.map((days) => ({ value: String(days), label: `${days} days` }))}
        value={chosen === undefined ? '' : String(chosen)}
        onChange={(days) => take(lastDays(Number(days)))}
      />
      <div className={classes['days']}>
        <TextInput
          type="date"
          aria-label="First day (UTC)"
          value={draft.from}
          error={error}
          onChange={(event) => take({ ...draft, from: event.currentTarget.value })}
        />
        <span className="kit-soft">to</span>
        <TextInput
          type="date"
          aria-label="Last day (UTC)"
          value={draft.to}
          error={error}
          onChange={(event) => take({ ...draft, to: event.currentTarget.value })}
        />
      </div>
      {error && (
        <span role="alert" className={classes['spanError']}>
          Two days in order, at most a year apart
        </span>
      )}
    </div>
  );
}
