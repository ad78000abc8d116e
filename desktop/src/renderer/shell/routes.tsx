import { Button } from '@mantine/core';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { PageBoundary } from '@ocr-router/ui/states/page-boundary.tsx';
import { Suspense } from 'react';
import { Link, Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { useProfiles } from '../bridge/profiles.tsx';
import { PAGES } from '../pages.ts';

const SETTINGS = '/settings';
/** What the page Requests was called in links that people have kept. */
const JOBS = '/jobs';

/** The page that the address names, fetched when it is first opened. */
export function Routes() {
  const [path] = useLocation();
  const { known, selected } = useProfiles();
  // A question that is asked before the gateway is known would be asked twice.
  if (!known) return <Loading rows={8} label="Gateways: loading" />;
  if (selected === null && path !== SETTINGS) return <NoGateway />;
  return (
    // Code that could not be fetched is not asked for again by itself; all that is open stands in the address.
    <PageBoundary key={path} onRetry={() => location.reload()}>
      <Suspense fallback={<Loading rows={8} label="Page: loading" />}>
        <Switch>
          {PAGES.map(({ path: route, page: { Page } }) => (
            <Route key={route} path={route}>
              <Page />
            </Route>
          ))}
          <Route path={`${JOBS}/*?`}>
            <FormerJobs />
          </Route>
          <Route>
            <Empty title="There is no such page" action={<Link href="/">Overview</Link>} />
          </Route>
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}

function FormerJobs() {
  const [path] = useLocation();
  const search = useSearch();
  const tail = search === '' ? '' : `?${search}`;
  return <Redirect to={`/requests${path.slice(JOBS.length)}${tail}`} replace />;
}

function NoGateway() {
  return (
    <Empty
      title="No gateway yet"
      action={
        <Button component={Link} href={SETTINGS}>
          Add a gateway
        </Button>
      }
    >
      A profile is a gateway’s address and an operator’s key. The key is kept outside of this window.
    </Empty>
  );
}
