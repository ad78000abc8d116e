import { Button, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { DateField } from '@ocr-router/ui/kit/date-field.tsx';
import { STATUSES } from '@ocr-router/ui/requests/statuses.ts';
import { useEffect, useState } from 'react';
import { RequestFiltersDocument } from '../documents.generated.ts';
import { LONGEST_TEXT, type Narrowing, SHORTEST_TEXT } from './request-filter.ts';
import classes from './requests.module.css';

const STATUS_CHOICES = [...STATUSES];
const MODES = [
  { value: 'sync', label: 'Waited for (sync)' },
  { value: 'async', label: 'In the background (async)' },
];

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface FilterBarProps {
  readonly value: Narrowing;
  readonly onChange: (value: Narrowing) => void;
  readonly onClear: (() => void) | null;
}

/** What narrows the list of requests. */
export function FilterBar({ value, onChange, onClear }: FilterBarProps) {
  const { data } = useQuery(RequestFiltersDocument, {});
  const engines = (data?.engines ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const keys = (data?.account.keys ?? []).map(({ id, label, prefix }) => ({ value: id, label: label ?? `${prefix}…` }));
  return (
    <div className={classes['filters']}>
      <MultiSelect
        label="Status"
        data={STATUS_CHOICES}
        value={[...value.status]}
        placeholder={value.status.length === 0 ? 'any' : undefined}
        onChange={(status) => onChange({ ...value, status })}
        clearable
      />
      <Select
        label="Engine"
        data={withChosen(engines, data ? value.engine : null)}
        value={value.engine}
        placeholder="any"
        onChange={(engine) => onChange({ ...value, engine })}
        searchable
        clearable
      />
      <Select
        label="Key"
        data={withChosen(keys, data ? value.key : null)}
        value={value.key}
        placeholder="any"
        onChange={(key) => onChange({ ...value, key })}
        searchable
        clearable
      />
      <Select
        label="Mode"
        data={MODES}
        value={value.mode}
        placeholder="any"
        onChange={(mode) => onChange({ ...value, mode })}
        clearable
      />
      <TextField text={value.text} onChange={(text) => onChange({ ...value, text })} />
      <DayFields value={value} onChange={onChange} />
      <Switch
        label="Not read, but charged"
        checked={value.chargedFailures}
        onChange={(event) => onChange({ ...value, chargedFailures: event.currentTarget.checked })}
        className={classes['filterSwitch']}
      />
      {onClear && (
        <Button variant="subtle" onClick={onClear} className={classes['filterClear']}>
          Clear
        </Button>
      )}
    </div>
  );
}

/** The choices, and what is chosen where it is none of them, as an engine of before: requests of it are still there. */
function withChosen(choices: readonly Choice[], chosen: string | null): readonly Choice[] {
  if (chosen === null || choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, label: chosen }];
}

interface TextFieldProps {
  readonly text: string | null;
  readonly onChange: (text: string | null) => void;
}

/** Taken at Enter, or when it is left: each search looks at many requests. */
function TextField({ text, onChange }: TextFieldProps) {
  const [typed, setTyped] = useState(text ?? '');
  useEffect(() => setTyped(text ?? ''), [text]);
  const wish = typed.trim();
  const isShort = wish !== '' && wish.length < SHORTEST_TEXT;
  const take = () => {
    if (!isShort && wish !== (text ?? '')) onChange(wish || null);
  };
  return (
    <TextInput
      label="Error or idempotency key"
      placeholder="any"
      value={typed}
      maxLength={LONGEST_TEXT}
      error={isShort ? 'Three characters or more' : undefined}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && take()}
      onBlur={take}
    />
  );
}

function DayFields({ value, onChange }: Pick<FilterBarProps, 'value' | 'onChange'>) {
  return (
    <>
      <DateField
        label={value.isUtc ? 'From (UTC)' : 'From'}
        value={value.from ?? ''}
        onChange={(from) => onChange({ ...value, from: from || null })}
      />
      <DateField
        label={value.isUtc ? 'To (UTC)' : 'To'}
        value={value.to ?? ''}
        onChange={(to) => onChange({ ...value, to: to || null })}
      />
    </>
  );
}
