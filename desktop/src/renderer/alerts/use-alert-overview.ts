import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useState } from 'react';
import type { AlertOverview } from '../../shared/alerts.ts';
import { bridge } from '../bridge/bridge.ts';
import { useProfiles } from '../bridge/profiles.tsx';

/** Rules are checked on and on; how they stand is asked as often as one looks up. */
const POLL_MS = 5000;

/** The rules of the gateway that is shown, and how they stand; `undefined` before they came once. */
export function useAlertOverview() {
  const { selected } = useProfiles();
  const profileId = selected?.id;
  const [overview, setOverview] = useState<AlertOverview>();
  const [failure, setFailure] = useState<Error | null>(null);

  const reload = useCallback(async () => {
    try {
      setOverview(await bridge.invoke('alerts.list', undefined));
      setFailure(null);
    } catch (error) {
      setFailure(error as Error); // the bridge rejects with errors only
    }
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another profile has other rules
  useEffect(() => {
    setOverview(undefined);
    void reload();
    const timer = setInterval(() => void reload(), POLL_MS);
    const stop = bridge.on('alerts.fired', () => void reload());
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [reload, profileId]);

  /** Does something to the rules; tells why where it could not be done. */
  const change = useCallback(
    async (act: () => Promise<unknown>): Promise<boolean> => {
      try {
        await act();
        await reload();
        return true;
      } catch (error) {
        notifications.show({ color: 'red', title: 'Not done', message: (error as Error).message }); // as above
        return false;
      }
    },
    [reload],
  );
  return { overview, failure, reload, change };
}
