import { Switch, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { age } from '@ocr-router/ui/format/age.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { Offline, Stale } from '@ocr-router/ui/states/offline.tsx';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useState } from 'react';
import { type AccountLineFragment, AccountsDocument, type AccountsQuery } from '../../documents.generated.ts';
import { useRowPx } from '../appearance/density.ts';
import { usePages } from '../graphql/use-pages.ts';
import { ExportButton } from '../kit/export-button.tsx';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { NARROW_COLUMNS, WIDE_COLUMNS } from './account-columns.tsx';
import { ACCOUNT_FILE } from './account-file.ts';
import { AccountPanel } from './account-panel.tsx';
import classes from './accounts.module.css';
import { CreateAccount } from './create-account.tsx';

/** The accounts, searched by their addresses, and the one that is looked at beside them. */
export function AccountList() {
  const [open, setOpen] = useSearchParam('account');
  const [owing, setOwing] = useSearchParam('owing');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const list = usePages(AccountsDocument, { search: search || null, owing: owing === '1' }, pageOf);
  const { rows: accounts, loading, failure, snapshotAtMs, more, reload } = list;
  return (
    <>
      <div className={classes['tools']}>
        <TextInput
          w={260}
          aria-label="Search by e-mail address"
          placeholder="Search by e-mail address"
          data-search
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Switch
          label="Only those that owe"
          checked={owing === '1'}
          onChange={(event) => setOwing(event.currentTarget.checked ? '1' : null)}
        />
        <span className={classes['toolsEnd']}>
          <ExportButton name="accounts" rows={accounts} columns={ACCOUNT_FILE} />
          <CreateAccount
            onCreated={(id) => {
              reload();
              setOpen(id);
            }}
          />
        </span>
      </div>
      <div className={classes['body']}>
        <section className={classes['list']} aria-label="Accounts">
          {snapshotAtMs !== null && (
            <Offline>Accounts as of {age(snapshotAtMs)}: the gateway cannot be reached.</Offline>
          )}
          {accounts.length === 0 && failure && (
            <Failed title="The accounts could not be loaded" message={failureText(failure)} onRetry={reload} />
          )}
          {accounts.length === 0 && !failure && loading && <Loading rows={10} label="Accounts: loading" />}
          {(accounts.length > 0 || (!failure && !loading)) && (
            <Listed
              accounts={accounts}
              isStale={snapshotAtMs !== null}
              isSearched={search !== '' || owing === '1'}
              open={open}
              onOpen={setOpen}
              onEndNear={more}
            />
          )}
        </section>
        {open !== null && <AccountPanel key={open} id={open} onClose={() => setOpen(null)} onChanged={reload} />}
      </div>
    </>
  );
}

function pageOf({ accounts }: AccountsQuery) {
  return accounts;
}

interface ListedProps {
  readonly accounts: readonly AccountLineFragment[];
  readonly isStale: boolean;
  readonly isSearched: boolean;
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
  readonly onEndNear: () => void;
}

function Listed({ accounts, isStale, isSearched, open, onOpen, onEndNear }: ListedProps) {
  const rowPx = useRowPx();
  return (
    <div className={classes['grow']}>
      <Stale stale={isStale}>
        <DataTable
          label="Accounts by e-mail address"
          rows={accounts}
          columns={open === null ? WIDE_COLUMNS : NARROW_COLUMNS}
          rowKey={({ id }) => id}
          rowHeightPx={rowPx}
          activeKey={open ?? undefined}
          onActivate={(id) => open !== null && onOpen(id)}
          onOpen={({ id }) => onOpen(id)}
          onEndNear={onEndNear}
          empty={<NoAccounts isSearched={isSearched} />}
        />
      </Stale>
    </div>
  );
}

function NoAccounts({ isSearched }: { readonly isSearched: boolean }) {
  if (isSearched) return <Empty title="No account matches" />;
  return <Empty title="No accounts yet">Create one here, or with `npm run -s admin -- account create`.</Empty>;
}
