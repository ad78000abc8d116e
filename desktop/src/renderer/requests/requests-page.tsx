import { LeftOut } from '@ocr-router/ui/kit/left-out.tsx';
import { Redirect, useLocation, useSearch } from 'wouter';
import page from '../kit/page.module.css';
import { FilterBar } from './filter-bar.tsx';
import { FindRequest } from './find-request.tsx';
import { RefusedCallPanel } from './refused-call-panel.tsx';
import { leftOutOf, readFilter, writeFilter } from './request-filter.ts';
import { RequestList } from './request-list.tsx';
import { RequestPanel } from './request-panel.tsx';
import classes from './requests.module.css';
import { SlowestList } from './slowest-list.tsx';
import { useSearch as useTextSearch } from './use-search.ts';

const BELOW = '/requests/';

/** The live feed of requests, and the one that is looked at beside it. */
export default function RequestsPage() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const findByText = useTextSearch();
  const open = new URLSearchParams(search).get('request');
  const call = open === null ? new URLSearchParams(search).get('call') : null;
  // Not of any other path: the address may have left this page before the page has.
  if (path.startsWith(BELOW)) return <Redirect to={addressOf(search, path.slice(BELOW.length))} replace />;
  const show = (id: string | null): void => navigate(addressOf(search, id), { replace: true });
  const showCall = (id: string): void => navigate(addressOf(search, id, 'call'), { replace: true });
  const filter = readFilter(search);
  const showAnyTime = (): void => {
    const ofAnyTime = { ...filter, from: null, to: null, anyTime: true };
    navigate(`/requests?${writeFilter(search, ofAnyTime)}`, { replace: true });
  };
  const List = new URLSearchParams(search).get('order') === 'slowest' ? SlowestList : RequestList;
  return (
    <div className={page['page']}>
      <header className={page['head']}>
        <h1 className={page['title']}>Requests</h1>
        <FilterBar />
        <FindRequest onFound={show} onCallFound={showCall} onSearch={findByText} />
      </header>
      <LeftOut words={leftOutOf(search)} />
      <div className={classes['body']}>
        <List
          filterSearch={writeFilter('', filter)}
          onAnyTime={filter.anyTime ? null : showAnyTime}
          open={open}
          isNarrow={open !== null || call !== null}
          onShow={show}
        />
        {open !== null && <RequestPanel key={open} id={open} onClose={() => show(null)} />}
        {call !== null && <RefusedCallPanel key={call} id={call} onClose={() => show(null)} />}
      </div>
    </div>
  );
}

/** The address with one thing open beside the list, or nothing. */
function addressOf(search: string, id: string | null, what: 'request' | 'call' = 'request'): string {
  const parameters = new URLSearchParams(search);
  parameters.delete('request');
  parameters.delete('call');
  if (id !== null) parameters.set(what, id);
  return parameters.size > 0 ? `/requests?${parameters}` : '/requests';
}
