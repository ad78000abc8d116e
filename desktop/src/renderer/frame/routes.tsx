import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { PAGES } from '../pages.ts';
import { PageBoundary } from './page-boundary.tsx';

/** The page that the address names, fetched when it is first opened. */
export function Routes() {
  const [path] = useLocation();
  return (
    <PageBoundary key={path}>
      <Suspense fallback={<Loading rows={8} label="Page: loading" />}>
        <Switch>
          {PAGES.map(({ path: route, page: Page }) => (
            <Route key={route} path={route}>
              <Page />
            </Route>
          ))}
          <Route>
            <Empty title="There is no such page" action={<Link href="/">Overview</Link>} />
          </Route>
        </Switch>
      </Suspense>
    </PageBoundary>
  );
}
