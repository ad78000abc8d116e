import { Button, Group, Switch, TextInput } from '@mantine/core';
import { timeOf } from '@ocr-router/ui/kit/written-time.ts';
import { useEffect, useState } from 'react';
import type { AlertsNowFragment } from '../../documents.generated.ts';
import classes from './alerts.module.css';
import { quietSentence } from './rule-sentence.ts';
import type { AlertActions } from './use-alert-actions.ts';

type QuietHours = NonNullable<AlertsNowFragment['quietHours']>;

interface QuietHoursFormProps {
  readonly hours: QuietHours | null;
  readonly actions: Pick<AlertActions, 'keepQuiet'>;
}

/** By the clock of who writes them; the gateway may stand in another time zone. */
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const USUAL: QuietHours = { from: '22:00', to: '07:00', timeZone };

/** The hours in which nothing is told; what fires then is listed all the same. */
export function QuietHoursForm({ hours, actions }: QuietHoursFormProps) {
  const [draft, setDraft] = useState(hours ?? USUAL);
  const save = (next: QuietHours | null): void => void actions.keepQuiet(next && { ...next, timeZone });
  const isChanged = hours !== null && (draft.from !== hours.from || draft.to !== hours.to);
  return (
    <section aria-labelledby="quiet-hours">
      <h2 id="quiet-hours" className={classes['heading']}>
        Quiet hours
      </h2>
      <div className={`kit-panel ${classes['quiet']}`}>
        <Switch
          label={quietSentence(hours)}
          checked={hours !== null}
          onChange={(event) => save(event.currentTarget.checked ? draft : null)}
        />
        {hours !== null && (
          <Group gap="xs">
            <Time label="From" value={draft.from} onChange={(from) => setDraft({ ...draft, from })} />
            <Time label="To" value={draft.to} onChange={(to) => setDraft({ ...draft, to })} />
            {isChanged && <Button onClick={() => save(draft)}>Save</Button>}
          </Group>
        )}
        <p className="kit-soft">Alerts that fire in that time are sent when it is over, if they still hold.</p>
      </div>
    </section>
  );
}

interface TimeProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A time of day, written alike in every language. */
function Time({ label, value, onChange }: TimeProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const take = (next: string): void => {
    setText(next);
    const whole = timeOf(next);
    if (whole !== null) onChange(whole);
  };
  return (
    <TextInput
      aria-label={label}
      required
      placeholder="hh:mm"
      maxLength={5}
      w={84}
      value={text}
      error={timeOf(text) === null}
      onChange={(event) => take(event.currentTarget.value)}
    />
  );
}
