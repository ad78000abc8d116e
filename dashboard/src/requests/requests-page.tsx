import { Button } from '@mantine/core';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { LeftOut } from '@ocr-router/ui/kit/left-out.tsx';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { NothingFoundSoFar, SearchOn } from '@ocr-router/ui/requests/search-on.tsx';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useMemo } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import type { RequestRowFragment } from '../documents.generated.ts';
import { Page } from '../kit/page.tsx';
import pageHeads from '../kit/page-heads.json';
import { Panel } from '../kit/panel.tsx';
import { FilterBar } from './filter-bar.tsx';
import { JumpTo } from './jump-to.tsx';
import { countText, filterOf, formatNarrowing, leftOutOf, type Narrowing, parseNarrowing } from './request-filter.ts';
import { RequestList } from './request-list.tsx';
import classes from './requests.module.css';
import { type RequestPages, useRequestPages } from './use-request-pages.ts';

const NO_MATCH = 'No request matches';

/** What was sent, by whomever, newest first. */
export default function RequestsPage() {
  const search = useSearch();
  const [, go] = useLocation();
  const narrowing = useMemo(() => parseNarrowing(search), [search]);
  const filter = useMemo(() => filterOf(narrowing), [narrowing]);
  const pages = useRequestPages(filter);
  const narrow = (value: Narrowing) => go(`/requests?${formatNarrowing(value)}`, { replace: true });
  const isNarrowed = formatNarrowing(narrowing) !== '';
  const clear = isNarrowed ? () => go('/requests', { replace: true }) : null;
  const refresh = (
    <Button variant="default" onClick={pages.refetch}>
      Refresh
    </Button>
  );
  return (
    <Page {...pageHeads['/requests']} actions={<JumpTo />}>
      <LeftOut words={leftOutOf(search)} />
      <FilterBar value={narrowing} onChange={narrow} onClear={clear} />
      <ResultNews asked={JSON.stringify(filter)} found={foundText(pages)} />
      <Answer answer={pages} subject="The requests" loadingRows={10} spaced>
        {(rows) => (
          <Panel title={countText(rows.length, pages.hasMore)} actions={refresh} flush>
            <Rows rows={rows} pages={pages} isNarrowed={isNarrowed} />
          </Panel>
        )}
      </Answer>
    </Page>
  );
}

interface RowsProps {
  readonly rows: readonly RequestRowFragment[];
  readonly pages: Pick<RequestPages, 'searchedTo' | 'loadMore'>;
  readonly isNarrowed: boolean;
}

function Rows({ rows, pages: { searchedTo, loadMore }, isNarrowed }: RowsProps) {
  if (rows.length === 0) {
    if (searchedTo === null) return <NoRequests isNarrowed={isNarrowed} />;
    return <NothingFoundSoFar searchedTo={searchedTo} onSearch={loadMore} />;
  }
  if (searchedTo === null) return <RequestList rows={rows} onEndNear={loadMore} />;
  return (
    <>
      <RequestList rows={rows} />
      <p className={`${classes['searched']} kit-soft`}>
        <SearchOn searchedTo={searchedTo} onSearch={loadMore} />
      </p>
    </>
  );
}

/** Null while the requests of the filter have not come. */
function foundText({ data, isCurrent, hasMore, searchedTo }: RequestPages): string | null {
  if (!isCurrent || data === undefined) return null;
  if (data.length > 0) return countText(data.length, hasMore);
  return searchedTo === null ? NO_MATCH : 'Nothing found so far';
}

function NoRequests({ isNarrowed }: { readonly isNarrowed: boolean }) {
  if (isNarrowed) return <Empty title={NO_MATCH}>Clear a filter to see more.</Empty>;
  return (
    <Empty
      title="Nothing has been sent yet"
      action={
        <Link href="/playground" className="kit-link">
          Read a first document in the playground
        </Link>
      }
    />
  );
}
