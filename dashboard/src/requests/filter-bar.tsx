import { Button, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { RequestFiltersDocument } from '../documents.generated.ts';
import { useAnswer } from '../graphql/use-answer.ts';
import type { Narrowing } from './request-filter.ts';
import classes from './requests.module.css';

const STATUSES = ['queued', 'processing', 'succeeded', 'partial', 'failed', 'rejected'];
const MODES = [
  { value: 'sync', label: 'Waited for (sync)' },
  { value: 'async', label: 'In the background (async)' },
];

interface FilterBarProps {
  readonly value: Narrowing;
  readonly onChange: (value: Narrowing) => void;
  readonly onClear: (() => void) | null;
}

/** What narrows the list of requests. */
export function FilterBar({ value, onChange, onClear }: FilterBarProps) {
  const [{ data }] = useAnswer({ query: RequestFiltersDocument });
  const engines = (data?.engines ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const keys = (data?.account.keys ?? []).map(({ id, label, prefix }) => ({ value: id, label: label ?? `${prefix}…` }));
  return (
    <div className={classes['filters']}>
      <MultiSelect
        label="Status"
        data={STATUSES}
        value={[...value.status]}
        placeholder={value.status.length === 0 ? 'any' : undefined}
        onChange={(status) => onChange({ ...value, status })}
        clearable
      />
      <Select
        label="Engine"
        data={engines}
        value={value.engine}
        placeholder="any"
        onChange={(engine) => onChange({ ...value, engine })}
        searchable
        clearable
      />
      <Select
        label="Key"
        data={keys}
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
      <TextInput
        label="From"
        type="date"
        value={value.from ?? ''}
        onChange={(event) => onChange({ ...value, from: event.currentTarget.value || null })}
      />
      <TextInput
        label="To"
        type="date"
        value={value.to ?? ''}
        onChange={(event) => onChange({ ...value, to: event.currentTarget.value || null })}
      />
      <Switch
        label="Failed, but charged"
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
