import { KitProvider } from '@ocr-router/ui/theme/kit-provider.tsx';
import { type ComponentType, lazy, Suspense, useLayoutEffect } from 'react';
import { Route, Switch } from 'wouter';
import { OwnPages } from './own-pages.tsx';
import { SessionProvider } from './session/session-provider.tsx';
import { StatusPage } from './status/status-page.tsx';

/** A page without notices is better than none. */
const Notices = lazy<ComponentType>(() => import('./kit/notices.tsx').catch(() => ({ default: () => null })));

/** The dashboard: the status page for everybody, all the rest for whoever is signed in. */
export function App() {
  useLayoutEffect(() => document.querySelector('.first-frame')?.remove(), []); // what the page itself shows is drawn now
  return (
    <KitProvider storageKey="dashboard-color-scheme">
      <Suspense>
        <Notices />
      </Suspense>
      <SessionProvider>
        <Switch>
          <Route path="/status" component={StatusPage} />
          <Route component={OwnPages} />
        </Switch>
      </SessionProvider>
    </KitProvider>
  );
}
