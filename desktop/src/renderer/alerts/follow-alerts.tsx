import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import type { AlertNotice } from '../../shared/alerts.ts';
import { bridge } from '../bridge/bridge.ts';
import classes from './alerts.module.css';

/** What fires is told on every page, besides the system's own notification where there is one. */
export function FollowAlerts() {
  useEffect(() => bridge.on('alerts.fired', tell), []);
  return null;
}

function tell({ title, body, path, alerts }: AlertNotice): void {
  const isFiring = alerts.some(({ state }) => state === 'firing');
  notifications.show({
    title,
    color: isFiring ? 'red' : 'green',
    autoClose: isFiring ? false : 8000,
    message: (
      <>
        {body !== '' && <span className={classes['notice']}>{body}</span>}
        <Anchor href={`#${path}`} size="sm">
          Look at it
        </Anchor>
      </>
    ),
  });
}
