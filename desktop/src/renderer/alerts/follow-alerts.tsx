import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import type { AlertNotice } from '../../shared/alerts.ts';
import { bridge } from '../bridge/bridge.ts';
import { navigate } from '../navigation/hash-location.ts';
import classes from './alerts.module.css';

const MUTE_MINUTES = 60;

/** Shows in the page what fired: the only place in a browser, and beside the native notification elsewhere. */
export function FollowAlerts() {
  useEffect(() => bridge.on('alerts.fired', tell), []);
  return null;
}

function tell(notice: AlertNotice): void {
  const isOver = notice.alerts.every(({ state }) => state === 'recovered');
  const id = notifications.show({
    color: isOver ? 'green' : 'red',
    title: notice.title,
    // What went wrong stays until somebody has seen it.
    autoClose: isOver ? undefined : false,
    message: <Message notice={notice} onDone={() => notifications.hide(id)} />,
  });
}

function Message({ notice, onDone }: { readonly notice: AlertNotice; readonly onDone: () => void }) {
  const look = (): void => {
    navigate(notice.path);
    onDone();
  };
  const mute = (): void => {
    const ruleIds = [...new Set(notice.alerts.map(({ ruleId }) => ruleId))];
    for (const id of ruleIds) {
      bridge.invoke('alerts.mute', { id, minutes: MUTE_MINUTES }).catch(() => {}); // a rule that is gone is mute
    }
    onDone();
  };
  return (
    <>
      {notice.body !== '' && <span className={classes['notice']}>{notice.body}</span>}
      <Group gap="xs" mt={6}>
        <Button size="compact-xs" variant="default" onClick={look}>
          Look
        </Button>
        <Button size="compact-xs" variant="default" onClick={mute}>
          Mute for an hour
        </Button>
      </Group>
    </>
  );
}
