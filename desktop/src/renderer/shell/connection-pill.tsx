import { Button } from '@mantine/core';
import { wholeSeconds } from '@ocr-router/ui/format/duration.ts';
import { clockTime } from '@ocr-router/ui/format/time.ts';
import { useNow } from '@ocr-router/ui/kit/use-now.ts';
import type { EngineState } from '@ocr-router/ui/status/engine-state.ts';
import { StatusShape } from '@ocr-router/ui/status/status-shape.tsx';
import type { ConnectionState } from '../../shared/channels.ts';
import { bridge } from '../bridge/bridge.ts';
import { useConnection } from '../bridge/connection.tsx';
import classes from './shell.module.css';

const LOOKS: Record<ConnectionState['state'], EngineState> = {
  live: 'healthy',
  connecting: 'degraded',
  offline: 'down',
  unauthorised: 'down',
};

/** Live; reconnecting in n s; offline since; or refused. Always to be seen. */
export function ConnectionPill() {
  const connection = useConnection();
  const nowMs = useNow(1000);
  const look = LOOKS[connection.state];
  return (
    <>
      <output className={classes['pill']} data-state={look}>
        <StatusShape state={look} />
        {words(connection, nowMs)}
      </output>
      {connection.state === 'offline' && (
        <Button variant="default" size="compact-xs" onClick={() => void bridge.invoke('connection.retry', undefined)}>
          Try now
        </Button>
      )}
    </>
  );
}

function words({ state, since, retryAt }: ConnectionState, nowMs: number): string {
  if (state === 'live') return 'Live';
  if (state === 'unauthorised') return 'Key refused';
  const waitMs = retryAt === null ? 0 : Date.parse(retryAt) - nowMs;
  if (waitMs >= 1000) return `Reconnecting in ${wholeSeconds(Math.ceil(waitMs / 1000))}`;
  return state === 'connecting' ? 'Connecting' : `Offline since ${clockTime(since)}`;
}
