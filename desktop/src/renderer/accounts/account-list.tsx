import { Select, Switch, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { age } from '@ocr-router/ui/format/age.ts';
import { count, plural } from '@ocr-router/ui/format/count.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { Offline, Stale } from '@ocr-router/ui/states/offline.tsx';
import type { Sort } from '@ocr-router/ui/table/column.ts';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useMemo, useState } from 'react';
import { AccountsDocument, type AccountsQuery, type AccountUsageLineFragment } from '../../documents.generated.ts';
import { useRowPx } from '../appearance/density.ts';
import { askOnce, connectionPage } from '../graphql/ask-once.ts';
import { usePages } from '../graphql/use-pages.ts';
import { ExportButton } from '../kit/export-button.tsx';
import { LONG_RANGE, useTimeRange } from '../navigation/time-range.ts';
import { useListPlace } from '../navigation/use-list-place.ts';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { NARROW_COLUMNS, wideColumns } from './account-columns.tsx';
import { accountFile } from './account-file.ts';
import { nextOrder, readOrder } from './account-order.ts';
import { AccountPanel } from './account-panel.tsx';
import classes from './accounts.module.css';
import { CreateAccount } from './create-account.tsx';

/** Days up to today (UTC) in which usage is counted: of a time range below a day, today. */
const DAYS = [1, 7, 30, 90] as const;
const DAY_CHOICES = DAYS.map((days) => ({
  value: `${days}`,
  label: days === 1 ? 'Used today (UTC)' : `Used in ${days} days`,
}));
const DAY_HOURS = 24;

/** The accounts, searched by their addresses, and the one that is looked at beside them. */
export function AccountList() {
  const [open, setOpen] = useSearchParam('account');
  const [owing, setOwing] = useSearchParam('owing');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const [order, setOrder] = useSearchParam('sort');
  const [dayText, setDays] = useSearchParam('days');
  const [range] = useTimeRange(LONG_RANGE);
  const days = DAYS.find((each) => `${each}` === dayText) ?? Math.ceil(range.hours / DAY_HOURS);
  const sort = readOrder(order);
  const wish = { order: sort.column, descending: sort.descending, days, search: search || null, owing: owing === '1' };
  const list = usePages(AccountsDocument, wish, pageOf);
  const { rows: accounts, loading, failure, snapshotAtMs, more, reload } = list;
  const found = accounts.length === 0 ? 'No account matches' : countWords(accounts.length, list.hasMore);
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
          label="Only accounts that owe"
          checked={owing === '1'}
          onChange={(event) => setOwing(event.currentTarget.checked ? '1' : null)}
        />
        <Select
          w={160}
          aria-label="Days of usage"
          allowDeselect={false}
          data={DAY_CHOICES}
          value={`${days}`}
          onChange={setDays}
        />
        <span className={classes['toolsEnd']}>
          <ExportButton
            name="accounts"
            from={() => async (after) =>
              connectionPage((await askOnce(AccountsDocument, { ...wish, after })).accountUsage)
            }
            columns={accountFile(days)}
          />
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
          <ResultNews asked={JSON.stringify(wish)} found={list.isCurrent ? found : null} />
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
              days={days}
              sort={sort}
              onSort={(column) => setOrder(nextOrder(sort, column))}
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

function countWords(accounts: number, hasMore: boolean): string {
  return hasMore ? `${count(accounts)} loaded, more below` : plural(accounts, 'account');
}

function pageOf({ accountUsage }: AccountsQuery) {
  return accountUsage;
}

interface ListedProps {
  readonly accounts: readonly AccountUsageLineFragment[];
  readonly isStale: boolean;
  readonly isSearched: boolean;
  readonly days: number;
  readonly sort: Sort;
  readonly onSort: (column: string) => void;
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
  readonly onEndNear: () => void;
}

function Listed(props: ListedProps) {
  const { accounts, isStale, isSearched, days, open, onOpen, onEndNear } = props;
  const rowPx = useRowPx();
  const wide = useMemo(() => wideColumns(days), [days]);
  const place = useListPlace();
  return (
    <div className={classes['grow']}>
      <Stale stale={isStale}>
        <DataTable
          label="Accounts"
          rows={accounts}
          columns={open === null ? wide : NARROW_COLUMNS}
          sort={props.sort}
          onSort={props.onSort}
          rowKey={({ account }) => account.id}
          rowHeightPx={rowPx}
          activeKey={open ?? place.marked}
          onActivate={(id) => (open === null ? place.mark(id) : onOpen(id))}
          initialTopPx={place.initialTopPx}
          onScroll={place.onScroll}
          onOpen={({ account }) => onOpen(account.id)}
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
