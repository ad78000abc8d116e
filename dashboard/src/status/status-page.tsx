import { Button, SegmentedControl } from '@mantine/core';
import { clockTime } from '@ocr-router/ui/format/time.ts';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { Offline, Stale } from '@ocr-router/ui/states/offline.tsx';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useClient } from 'urql';
import { Link } from 'wouter';
import { useLoaded } from '../http/use-loaded.ts';
import { Brand } from '../kit/brand.tsx';
import { Page } from '../kit/page.tsx';
import { Panel } from '../kit/panel.tsx';
import { useSession } from '../session/session.ts';
import { Connection } from '../shell/connection.tsx';
import { Shell } from '../shell/shell.tsx';
import { ChangelogList } from './changelog-list.tsx';
import { EngineUptime } from './engine-uptime.tsx';
import { IncidentList } from './incident-list.tsx';
import { lookAtService } from './service-status.ts';
import classes from './status.module.css';
import { Summary } from './summary.tsx';
import { worstFirst } from './worst-first.ts';

const SPANS = ['30', '90', '365'];
const REFRESH_MS = 60_000;

/** The public face: how the engines do and did, and what changed in the API. Nobody needs to sign in. */
export function StatusPage() {
  const [days, setDays] = useState(90);
  const client = useClient();
  const isSignedIn = useSession().state.kind === 'in';
  const look = useCallback(() => lookAtService(days, isSignedIn ? client : null), [days, isSignedIn, client]);
  const { loaded, error, reload } = useLoaded(look);
  useEffect(() => {
    const timer = setInterval(reload, REFRESH_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const spans = (
    <SegmentedControl
      aria-label="Days"
      data={SPANS.map((value) => ({ value, label: `${value} days` }))}
      value={String(days)}
      onChange={(value) => setDays(Number(value))}
    />
  );
  return (
    <Surroundings>
      <Page title="Status" lead={loaded && `As of ${clockTime(loaded.atMs)}; refreshed every minute.`}>
        {loaded && error !== null && (
          <Offline>
            Last known status of {clockTime(loaded.atMs)}: {error}
          </Offline>
        )}
        {!loaded && error !== null && (
          <Failed title="The status could not be loaded" message={error} onRetry={reload} />
        )}
        {!loaded && error === null && <Loading rows={8} />}
        {loaded && (
          <Stale stale={error !== null}>
            <div className={classes['parts']}>
              <Summary engines={loaded.engines} />
              <Panel title="Engines" actions={spans} flush>
                {worstFirst(loaded.engines).map((engine) => (
                  <EngineUptime key={engine.health.engine_id} {...engine} days={days} nowMs={loaded.atMs} />
                ))}
              </Panel>
              <Panel title="Incidents">
                <IncidentList incidents={loaded.incidents} nowMs={loaded.atMs} />
              </Panel>
              <Panel title={`API changelog (now ${loaded.changelog.api_version})`}>
                <ChangelogList entries={loaded.changelog.changelog} />
              </Panel>
            </div>
          </Stale>
        )}
      </Page>
    </Surroundings>
  );
}

/** The dashboard around it for whoever is signed in, a plain bar for all others. */
function Surroundings({ children }: { readonly children: ReactNode }) {
  const { state } = useSession();
  if (state.kind === 'in') return <Shell>{children}</Shell>;
  return (
    <>
      <header className={classes['bar']}>
        <Brand />
        {state.kind === 'out' && (
          <Button component={Link} href="/" variant="default">
            Sign in
          </Button>
        )}
      </header>
      <main>
        <Connection />
        {children}
      </main>
    </>
  );
}
