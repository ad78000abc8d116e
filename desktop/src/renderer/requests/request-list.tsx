import { Button } from '@mantine/core';
import { age } from '@ocr-router/ui/format/age.ts';
import { count, plural } from '@ocr-router/ui/format/count.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { NothingFoundSoFar, SearchOn } from '@ocr-router/ui/requests/search-on.tsx';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { Offline, Stale } from '@ocr-router/ui/states/offline.tsx';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { useEffect, useRef, useState } from 'react';
import type { RequestRowFragment } from '../../documents.generated.ts';
import { useRowPx } from '../appearance/density.ts';
import { useConnection } from '../bridge/connection.tsx';
import { useTimeRange } from '../navigation/time-range.ts';
import { useListPlace } from '../navigation/use-list-place.ts';
import { ListBar } from './list-bar.tsx';
import { NoRequests, noneWords } from './no-requests.tsx';
import type { FeedState } from './request-feed.ts';
import { requestReader } from './request-reader.ts';
import classes from './requests.module.css';
import { useRequestColumns } from './use-request-columns.ts';
import { useRequestFeed } from './use-request-feed.ts';

interface RequestListProps {
  readonly filterSearch: string;
  /** Lists those of any time; null where it does. */
  readonly onAnyTime: (() => void) | null;
  readonly open: string | null;
  /** Whether a panel stands beside it. */
  readonly isNarrow: boolean;
  readonly onShow: (id: string | null) => void;
}

/** Follows at its top; holds still while it is scrolled, hovered over, or beside an open request. */
export function RequestList({ filterSearch, onAnyTime, open, isNarrow, onShow }: RequestListProps) {
  const [range] = useTimeRange();
  const { feed, state, snapshotAtMs } = useRequestFeed(filterSearch, range.hours);
  const { state: connection } = useConnection();
  const [hovered, setHovered] = useState(false);
  const place = useListPlace();
  const [scrolled, setScrolled] = useState(place.initialTopPx > 0);
  const rowPx = useRowPx();
  const list = useRef<HTMLElement>(null);
  const held = hovered || scrolled || isNarrow;
  useEffect(() => feed.hold(held), [feed, held]);

  const columns = useRequestColumns(isNarrow);
  const catchUp = (): void => {
    list.current?.querySelector('[role=grid]')?.parentElement?.scrollTo({ top: 0 });
    feed.showWaiting();
  };
  const { rows, loading, failure, hasMore, searchedTo } = state;
  if (failure && rows.length === 0) {
    return <Failed title="The requests could not be loaded" message={failureText(failure)} onRetry={feed.reload} />;
  }
  return (
    <section
      ref={list}
      className={classes['list']}
      aria-label="Requests"
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
    >
      <ListBar exported={() => requestReader(filterSearch, range.hours)} words={loadedWords(rows.length, hasMore)} />
      <ResultNews
        asked={`${filterSearch} ${range.hours}`}
        found={loading ? null : foundWords(state, noneWords(filterSearch !== '', range))}
      />
      {snapshotAtMs !== null && <Offline>Requests as of {age(snapshotAtMs)}: the gateway cannot be reached.</Offline>}
      <NewPill count={state.waiting.length} isMore={state.overflowed} onShow={catchUp} />
      {loading && rows.length === 0 ? (
        <Loading rows={12} label="Requests: loading" />
      ) : (
        <div className={classes['grow']}>
          <Stale stale={snapshotAtMs !== null || connection === 'offline'}>
            <DataTable
              label="Requests, newest first"
              rows={rows}
              columns={columns}
              rowKey={idOf}
              rowHeightPx={rowPx}
              activeKey={open ?? place.marked}
              onActivate={(id) => (open === null ? place.mark(id) : onShow(id))}
              onOpen={({ id }) => onShow(id)}
              // What looks at very many for a few is gone on with on request.
              {...(searchedTo === null && { onEndNear: feed.loadMore })}
              initialTopPx={place.initialTopPx}
              onScroll={(topPx) => {
                setScrolled(topPx > 0);
                place.onScroll(topPx);
              }}
              empty={
                searchedTo === null ? (
                  <NoRequests isFiltered={filterSearch !== ''} range={range} onAnyTime={onAnyTime} />
                ) : (
                  <NothingFoundSoFar searchedTo={searchedTo} onSearch={feed.loadMore} />
                )
              }
            />
          </Stale>
        </div>
      )}
      {rows.length > 0 && (
        <Foot
          failure={failure}
          isLoading={loading && hasMore}
          searchedTo={searchedTo}
          onSearch={feed.loadMore}
          onRetry={feed.retryMore}
          onAnyTime={hasMore || loading ? null : onAnyTime}
        />
      )}
    </section>
  );
}

function foundWords({ rows, hasMore, searchedTo }: FeedState<RequestRowFragment>, none: string): string {
  if (rows.length > 0) return loadedWords(rows.length, hasMore);
  return searchedTo === null ? none : 'Nothing found so far';
}

function loadedWords(loaded: number, hasMore: boolean): string {
  if (loaded === 0) return '';
  return hasMore ? `${count(loaded)} loaded, more below` : plural(loaded, 'request');
}

interface FootProps {
  readonly failure: Error | null;
  readonly isLoading: boolean;
  /** How far a search for a text came; null where it is done. */
  readonly searchedTo: string | null;
  readonly onSearch: () => void;
  readonly onRetry: () => void;
  /** Where the list has ended, and not with the first request that there was. */
  readonly onAnyTime: (() => void) | null;
}

/** What becomes of the older requests that were asked for at the end of the list. */
function Foot({ failure, isLoading, searchedTo, onSearch, onRetry, onAnyTime }: FootProps) {
  if (failure) {
    return (
      <p className={classes['foot']} role="alert">
        Older requests could not be loaded: {failureText(failure)}{' '}
        <Button variant="default" size="compact-xs" onClick={onRetry}>
          Try again
        </Button>
      </p>
    );
  }
  if (isLoading) return <p className={classes['foot']}>Loading older requests</p>;
  if (searchedTo !== null) {
    return (
      <p className={classes['foot']}>
        <SearchOn searchedTo={searchedTo} onSearch={onSearch} />
      </p>
    );
  }
  return onAnyTime ? (
    <p className={classes['foot']}>
      No others in this time.{' '}
      <Button variant="default" size="compact-xs" onClick={onAnyTime}>
        Show any time
      </Button>
    </p>
  ) : null;
}

interface NewPillProps {
  readonly count: number;
  readonly isMore: boolean;
  readonly onShow: () => void;
}

function NewPill({ count: waiting, isMore, onShow }: NewPillProps) {
  if (waiting === 0 && !isMore) return null;
  return (
    <Button className={classes['pill']} size="compact-sm" radius="xl" onClick={onShow}>
      {isMore ? `${waiting === 0 ? 'Many' : `${count(waiting)}+`} new` : plural(waiting, 'new', 'new')}
    </Button>
  );
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}
