import { CloseButton, MultiSelect, Select } from '@mantine/core';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { STATUSES } from '@ocr-router/ui/requests/statuses.ts';
import { useLocation, useSearch } from 'wouter';
import { FilterEnginesDocument } from '../../documents.generated.ts';
import { AccountFilter } from './account-filter.tsx';
import { type RequestFilter, readFilter, WEBHOOK_STATES, writeFilter } from './request-filter.ts';
import classes from './requests.module.css';
import { TimeFilter } from './time-filter.tsx';

const STATUS_CHOICES = [...STATUSES];
const MODE_CHOICES = [
  { value: 'sync', label: 'sync' },
  { value: 'async', label: 'async' },
];

const WEBHOOK_CHOICES = WEBHOOK_STATES.map((value) => ({ value, label: `webhook ${value}` }));

/** What narrows the list; all of it stands in the address. */
export function FilterBar() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const filter = readFilter(search);
  const { data } = useQuery(FilterEnginesDocument, {});
  const change = (part: Partial<RequestFilter>): void =>
    navigate(`${path}?${writeFilter(search, { ...filter, ...part })}`, { replace: true });
  const engines = data?.engines.map(({ id }) => id) ?? [];
  return (
    <fieldset className={classes['filters']} aria-label="Filters">
      <Select
        aria-label="Engine"
        placeholder="Any engine"
        w={140}
        clearable
        searchable
        data={filter.engine === null || engines.includes(filter.engine) ? engines : [filter.engine, ...engines]}
        value={filter.engine}
        onChange={(engine) => change({ engine })}
      />
      <MultiSelect
        aria-label="Status"
        placeholder={filter.statuses.length === 0 ? 'Any status' : undefined}
        w={filter.statuses.length > 1 ? 240 : 140}
        data={STATUS_CHOICES}
        value={[...filter.statuses]}
        onChange={(statuses) => change({ statuses })}
      />
      <Select
        aria-label="Mode"
        placeholder="Any mode"
        w={104}
        clearable
        data={MODE_CHOICES}
        value={filter.mode}
        onChange={(mode) => change({ mode })}
      />
      <Select
        aria-label="Webhook"
        placeholder="Any webhook"
        w={168}
        clearable
        data={WEBHOOK_CHOICES}
        value={filter.webhook}
        onChange={(webhook) => change({ webhook })}
      />
      <TimeFilter filter={filter} onChange={change} />
      <AccountFilter account={filter.account} keyId={filter.key} onChange={change} />
      {(filter.anyTime || filter.from !== null || filter.to !== null) && (
        <Chip
          words={spanWords(filter)}
          end="Use the time range instead"
          onEnd={() => change({ from: null, to: null, anyTime: false })}
        />
      )}
      {filter.code !== null && (
        <Chip words={filter.code} end="With any error or none" onEnd={() => change({ code: null })} />
      )}
      {filter.text !== null && (
        <Chip
          words={`“${filter.text}” in error or idempotency key`}
          end="Whatever error and idempotency key say"
          onEnd={() => change({ text: null })}
        />
      )}
      {filter.idempotencyKey !== null && (
        <Chip
          words={`idempotency key ${filter.idempotencyKey}`}
          end="With any idempotency key"
          onEnd={() => change({ idempotencyKey: null })}
        />
      )}
    </fieldset>
  );
}

interface ChipProps {
  readonly words: string;
  /** What its button does. */
  readonly end: string;
  readonly onEnd: () => void;
}

/** A part of the filter that has no field of its own. */
function Chip({ words, end, onEnd }: ChipProps) {
  return (
    <span className={classes['chip']}>
      <span className={classes['chipWords']} title={words}>
        {words}
      </span>
      <CloseButton size="xs" aria-label={end} onClick={onEnd} />
    </span>
  );
}

function spanWords({ from, to, anyTime }: RequestFilter): string {
  if (anyTime) return 'at any time';
  if (from === null) return `before ${shortTime(to ?? 0)}`;
  return to === null ? `since ${shortTime(from)}` : `${shortTime(from)} to ${shortTime(to)}`;
}
