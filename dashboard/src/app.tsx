import { Notifications } from '@mantine/notifications';
import { KitProvider } from '@ocr-router/ui/theme/kit-provider.tsx';
import { Route, Switch } from 'wouter';
import { OwnPages } from './own-pages.tsx';
import { SessionProvider } from './session/session-provider.tsx';
import { StatusPage } from './status/status-page.tsx';

/** The dashboard: the status page for everybody, all the rest for whoever is signed in. */
export function App() {
  return (
    <KitProvider storageKey="dashboard-color-scheme">
      <Notifications position="bottom-right" autoClose={4000} />
      <SessionProvider>
        <Switch>
          <Route path="/status" component={StatusPage} />
          <Route component={OwnPages} />
        </Switch>
      </SessionProvider>
    </KitProvider>
  );
}
