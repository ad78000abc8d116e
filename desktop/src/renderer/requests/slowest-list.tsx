import { plural } from '@ocr-router/ui/format/count.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { DataTable } from '@ocr-router/ui/table/data-table.tsx';
import { type RequestFilter, SlowestRequestsDocument } from '../../documents.generated.ts';
import { useRowPx } from '../appearance/density.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import { useListPlace } from '../navigation/use-list-place.ts';
import { useOnceHere } from '../navigation/visits.ts';
import { ListBar } from './list-bar.tsx';
import { NoRequests, noneWords } from './no-requests.tsx';
import { readFilter, requestFilter, withinHours } from './request-filter.ts';
import classes from './requests.module.css';
import { useRequestColumns } from './use-request-columns.ts';

const POLL_MS = 60_000;

interface SlowestListProps {
  readonly filterSearch: string;
  readonly onAnyTime: (() => void) | null;
  readonly open: string | null;
  /** Whether a panel stands beside it. */
  readonly isNarrow: boolean;
  readonly onShow: (id: string | null) => void;
}

/** The hundred that took longest from acceptance to end, of the filter and the time. It does not follow what happens. */
export function SlowestList({ filterSearch, onAnyTime, open, isNarrow, onShow }: SlowestListProps) {
  const [range] = useTimeRange();
  const filter = useOnceHere('slowest requests', `${filterSearch} ${range.hours}`, () =>
    requestFilter(withinHours(readFilter(filterSearch), range.hours, Date.now())),
  );
  const place = useListPlace();
  const answer = useQuery(SlowestRequestsDocument, { filter });
  usePolling(answer.refetch, POLL_MS);
  const columns = useRequestColumns(isNarrow);
  const rowPx = useRowPx();
  const rows = answer.data?.slowestRequests ?? [];
  return (
    <section className={classes['list']} aria-label="Requests">
      <ListBar exported={rows} words={`The 100 that took longest, among ${amongWords(filter)}`} />
      <ResultNews
        asked={`${filterSearch} ${range.hours}`}
        found={answer.data && !answer.loading ? foundWords(rows.length, noneWords(filterSearch !== '', range)) : null}
      />
      <div className={classes['grow']}>
        <Answer subject="The slowest requests" answer={answer} loadingRows={12}>
          {({ slowestRequests }) => (
            <DataTable
              label="Requests, slowest first"
              rows={slowestRequests}
              columns={columns}
              rowKey={({ id }) => id}
              rowHeightPx={rowPx}
              activeKey={open ?? place.marked}
              onActivate={(id) => (open === null ? place.mark(id) : onShow(id))}
              initialTopPx={place.initialTopPx}
              onScroll={place.onScroll}
              onOpen={({ id }) => onShow(id)}
              empty={<NoRequests isFiltered={filterSearch !== ''} range={range} onAnyTime={onAnyTime} />}
            />
          )}
        </Answer>
      </div>
    </section>
  );
}

function foundWords(found: number, none: string): string {
  return found === 0 ? none : plural(found, 'request');
}

function amongWords({ text }: RequestFilter): string {
  return text ? 'those with the text in the newest 100,000' : 'the newest 20,000 that have ended';
}
