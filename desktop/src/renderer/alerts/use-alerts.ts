import { type Answered, useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useEffect, useState } from 'react';
import { useSubscription } from 'urql';
import {
  AlertsChangedDocument,
  type AlertsChangedSubscription,
  AlertsDocument,
  type AlertsNowFragment,
  type AlertsQuery,
} from '../../documents.generated.ts';
import { useConnection } from '../bridge/connection.tsx';
import { usePolling } from '../graphql/use-polling.ts';

/** How channels do is asked for: only rules and alerts are told as they change. */
const POLL_MS = 10_000;

/** The gateway's alerts, as of its latest word: an answer or an event, whichever came last. */
export function useAlerts(): { readonly answer: Answered<AlertsQuery>; readonly now: AlertsNowFragment | null } {
  const answer = useQuery(AlertsDocument, {});
  const { state } = useConnection();
  const [now, setNow] = useState<AlertsNowFragment | null>(null);
  const answered = answer.data?.alertOverview ?? null;
  useEffect(() => setNow(answered), [answered]);
  useSubscription<AlertsChangedSubscription, null>(
    { query: AlertsChangedDocument, pause: state !== 'live' },
    (_, { alertsChanged }) => {
      setNow(alertsChanged);
      return null;
    },
  );
  usePolling(answer.refetch, POLL_MS);
  return { answer, now: now ?? answered };
}
