import { OutOfReach } from '@ocr-router/ui/graphql/answer.tsx';
import { type ReactNode, useEffect, useMemo } from 'react';
import { Client, cacheExchange, Provider } from 'urql';
import type { Bridge } from '../../shared/channels.ts';
import { bridge } from '../bridge/bridge.ts';
import { onReconnection, useConnection } from '../bridge/connection.tsx';
import { useProfiles } from '../bridge/profiles.tsx';
import { bridgeExchange } from './bridge-exchange.ts';
import { resumeExchange } from './resume-exchange.ts';
import { snapshotExchange } from './snapshot-exchange.ts';
import { keepSnapshotsOf, openSnapshots } from './snapshots.ts';

/** What stands for a gateway before there is one. */
const NO_PROFILE = 'none';

/** A GraphQL client for the gateway that is shown; another profile has another one, with nothing of the first. */
export function GatewayProvider({ children }: { readonly children: ReactNode }) {
  const { selected, profiles, known } = useProfiles();
  const { state } = useConnection();
  const profileId = selected?.id ?? NO_PROFILE;
  const client = useMemo(() => gatewayClient(bridge, profileId), [profileId]);
  useEffect(() => {
    if (known) keepSnapshotsOf([NO_PROFILE, ...profiles.map(({ id }) => id)]).catch(() => {}); // tried again with the next list
  }, [known, profiles]);
  return (
    <OutOfReach value={state === 'offline'}>
      <Provider key={profileId} value={client}>
        {children}
      </Provider>
    </OutOfReach>
  );
}

function gatewayClient(over: Bridge, profileId: string): Client {
  return new Client({
    url: 'bridge:',
    requestPolicy: 'cache-and-network',
    exchanges: [
      resumeExchange({ subscribe: onReconnection }),
      cacheExchange,
      snapshotExchange(openSnapshots(profileId)),
      bridgeExchange(over),
    ],
  });
}
