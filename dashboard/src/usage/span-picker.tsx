import { SegmentedControl } from '@mantine/core';
import { DateField } from '@ocr-router/ui/kit/date-field.tsx';
import { useState } from 'react';
import { isSpan, lastDays, monthBefore, type Span } from './span.ts';
import classes from './usage.module.css';

interface Choice {
  readonly label: string;
  readonly span: () => Span;
}

const DAYS: readonly Choice[] = [7, 30, 90].map((days) => ({ label: `${days} days`, span: () => lastDays(days) }));
const MONTHS: readonly Choice[] = [
  { label: 'This month', span: () => monthBefore(0) },
  { label: 'Last month', span: () => monthBefore(1) },
];

interface SpanPickerProps {
  readonly span: Span;
  readonly onChange: (span: Span) => void;
}

/** Which days: the last few, those of a month, or any two of one's own. */
export function SpanPicker({ span, onChange }: SpanPickerProps) {
  const [draft, setDraft] = useState(span);
  const take = (next: Span): void => {
    setDraft(next);
    if (isSpan(next)) onChange(next);
  };
  const error = isSpan(draft) ? undefined : true;
  return (
    <div className={classes['span']}>
      <Choices name="Days" choices={DAYS} span={span} onChange={take} />
      <Choices name="Months" choices={MONTHS} span={span} onChange={take} />
      <div className={classes['days']}>
        <DateField
          name="First day (UTC)"
          value={draft.from}
          error={error}
          onChange={(from) => take({ ...draft, from })}
        />
        <span className="kit-soft">to</span>
        <DateField name="Last day (UTC)" value={draft.to} error={error} onChange={(to) => take({ ...draft, to })} />
      </div>
      {error && (
        <span role="alert" className={classes['spanError']}>
          Two days in order, at most a year apart
        </span>
      )}
    </div>
  );
}

interface ChoicesProps extends SpanPickerProps {
  readonly name: string;
  readonly choices: readonly Choice[];
}

function Choices({ name, choices, span, onChange }: ChoicesProps) {
  const chosen = choices.find((choice) => choice.span().from === span.from && choice.span().to === span.to);
  const choose = (label: string): void => {
    const choice = choices.find((each) => each.label === label);
    if (choice) onChange(choice.span());
  };
  return (
    <SegmentedControl
      aria-label={name}
      data={choices.map(({ label }) => label)}
      value={chosen?.label ?? ''}
      onChange={choose}
    />
  );
}
