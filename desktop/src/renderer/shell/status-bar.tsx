import { age } from '@ocr-router/ui/format/age.ts';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import { ServiceVersionDocument } from '../../documents.generated.ts';
import { useConnection } from '../bridge/connection.tsx';
import { useProfiles } from '../bridge/profiles.tsx';
import { useLastEventAtMs } from '../graphql/last-event.ts';
import classes from './shell.module.css';

/** The API's version, the round trip to the gateway, and when it last sent something. */
export function StatusBar() {
  const { selected } = useProfiles();
  const { roundTripMs } = useConnection();
  const { data } = useQuery(ServiceVersionDocument, {}, { pause: selected === null });
  const lastEventAtMs = useLastEventAtMs();
  const nowMs = useNow(1000);
  return (
    <footer className={classes['statusBar']}>
      <span className={classes['statusUrl']}>{selected?.url ?? 'No gateway'}</span>
      <span>API {data?.changelog.apiVersion ?? '–'}</span>
      <span>Service {data?.serviceStatus.version ?? '–'}</span>
      <span>Round trip {duration(roundTripMs)}</span>
      <span>Last event {lastEventAtMs === null ? 'none yet' : age(lastEventAtMs, nowMs)}</span>
    </footer>
  );
}
