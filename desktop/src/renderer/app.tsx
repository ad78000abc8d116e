import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';
import { KitProvider } from '@ocr-router/ui/theme/kit-provider.tsx';
import { Router } from 'wouter';
import { ConnectionProvider } from './bridge/connection.tsx';
import { ProfilesProvider } from './bridge/profiles.tsx';
import { GatewayProvider } from './graphql/gateway-provider.tsx';
import { useHashLocation, useHashSearch } from './navigation/hash-location.ts';
import { Routes } from './shell/routes.tsx';
import { Shell } from './shell/shell.tsx';

/** The console: what it is connected to, around the shell, around the page that the address names. */
export function App() {
  return (
    <KitProvider storageKey="console-color-scheme">
      <Notifications position="bottom-right" limit={4} notificationMaxHeight="25rem" />
      <ConnectionProvider>
        <ProfilesProvider>
          <GatewayProvider>
            <Router hook={useHashLocation} searchHook={useHashSearch}>
              <Shell>
                <Routes />
              </Shell>
            </Router>
          </GatewayProvider>
        </ProfilesProvider>
      </ConnectionProvider>
    </KitProvider>
  );
}
