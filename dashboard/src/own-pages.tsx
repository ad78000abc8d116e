import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { PageBoundary } from '@ocr-router/ui/states/page-boundary.tsx';
import { lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { HomePage } from './home/home-page.tsx';
import { SessionGate } from './session/session-gate.tsx';
import { brokenPageText } from './shell/broken-page.ts';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { Shell } from './shell/shell.tsx';

const AccountPage = lazy(() => import('./account/account-page.tsx'));
const KeysPage = lazy(() => import('./keys/keys-page.tsx'));
const PlaygroundPage = lazy(() => import('./playground/playground-page.tsx'));
const RequestPage = lazy(() => import('./requests/request-page.tsx'));
const RequestsPage = lazy(() => import('./requests/requests-page.tsx'));
const UsagePage = lazy(() => import('./usage/usage-page.tsx'));
const WebhookPage = lazy(() => import('./webhooks/webhook-page.tsx'));
const WebhooksPage = lazy(() => import('./webhooks/webhooks-page.tsx'));

/** The pages of the account that is signed in; each is loaded when it is first opened. */
export function OwnPages() {
  const [path] = useLocation();
  return (
    <SessionGate>
      <Shell>
        {/* After an update of the gateway a page's code has another name, and a failed import stays failed. */}
        <PageBoundary key={path} onRetry={() => location.reload()} words={brokenPageText}>
          <Suspense fallback={<Loading rows={6} />}>
            <Switch>
              <Route path="/" component={HomePage} />
              <Route path="/keys" component={KeysPage} />
              <Route path="/playground" component={PlaygroundPage} />
              <Route path="/requests" component={RequestsPage} />
              <Route path="/requests/:id">{({ id }) => <RequestPage key={id} id={id} />}</Route>
              <Route path="/usage" component={UsagePage} />
              <Route path="/webhooks" component={WebhooksPage} />
              <Route path="/webhooks/:id">{({ id }) => <WebhookPage key={id} id={id} />}</Route>
              <Route path="/account" component={AccountPage} />
              <Route component={NotFoundPage} />
            </Switch>
          </Suspense>
        </PageBoundary>
      </Shell>
    </SessionGate>
  );
}
