import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useState } from 'react';
import { FilterAccountDocument, FilterAccountsDocument } from '../../documents.generated.ts';
import type { RequestFilter } from './request-filter.ts';

interface AccountFilterProps {
  readonly account: string | null;
  readonly keyId: string | null;
  readonly onChange: (part: Pick<RequestFilter, 'account' | 'key'>) => void;
}

/** Whose requests: an account, found by its address, and then one of its keys. */
export function AccountFilter({ account, keyId, onChange }: AccountFilterProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 200);
  const found = useQuery(FilterAccountsDocument, { search });
  const chosen = useQuery(FilterAccountDocument, { id: account ?? '' }, { pause: account === null });
  const owner = account === null ? undefined : chosen.data?.account;
  const accounts = (found.data?.accounts.nodes ?? []).map(({ id, email }) => ({ value: id, label: email }));
  const choices =
    owner && !accounts.some(({ value }) => value === owner.id)
      ? [{ value: owner.id, label: owner.email }, ...accounts]
      : accounts;
  return (
    <>
      <Select
        aria-label="Account"
        placeholder="Any account"
        w={160}
        clearable
        searchable
        nothingFoundMessage="No such account"
        data={choices}
        filter={({ options }) => options}
        onSearchChange={(text) => setTyped(text === owner?.email ? '' : text)}
        value={account}
        onChange={(id) => onChange({ account: id, key: null })}
      />
      {owner && (
        <Select
          aria-label="Key"
          placeholder="Any key"
          w={130}
          clearable
          data={owner.keys.map(({ id, label, prefix }) => ({ value: id, label: label ?? `${prefix}…` }))}
          value={keyId}
          onChange={(id) => onChange({ account, key: id })}
        />
      )}
    </>
  );
}
