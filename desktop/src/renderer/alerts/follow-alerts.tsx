import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import type { AlertNotice } from '../../shared/alerts.ts';
import { bridge } from '../bridge/bridge.ts';
import { navigate } from '../navigation/hash-location.ts';
import classes from './alerts.module.css';
import { compareSeverities, SEVERITIES } from './severities.ts';
import { type AlertActions, useAlertActions } from './use-alert-actions.ts';

const MUTE_MINUTES = 60;

/** Shows in the page what is told: the only place in a browser, and beside the native notification elsewhere. */
export function FollowAlerts() {
  const actions = useRef<AlertActions>(null);
  actions.current = useAlertActions(noMatter);
  useEffect(() => bridge.on('alerts.fired', (notice) => tell(notice, () => actions.current)), []);
  return null;
}

/** The gateway tells by itself what has changed. */
function noMatter(): void {}

function tell(notice: AlertNotice, actions: () => AlertActions | null): void {
  const [worst] = notice.alerts
    .filter(({ state }) => state === 'firing')
    .map(({ severity }) => severity)
    .sort(compareSeverities);
  const id = notifications.show({
    color: worst === undefined ? endColour(notice) : SEVERITIES[worst].colour,
    title: notice.title,
    // What somebody must look at stays until it is seen.
    autoClose: worst === undefined || worst === 'info' ? undefined : false,
    message: <Message notice={notice} actions={actions} onDone={() => notifications.hide(id)} />,
  });
}

/** Green says that something is well again. */
function endColour({ alerts }: AlertNotice): string {
  return alerts.every(({ state }) => state === 'recovered') ? 'green' : 'gray';
}

interface MessageProps {
  readonly notice: AlertNotice;
  readonly actions: () => AlertActions | null;
  readonly onDone: () => void;
}

function Message({ notice, actions, onDone }: MessageProps) {
  const firing = notice.alerts.filter(({ state }) => state === 'firing');
  const look = (): void => {
    navigate(notice.path);
    onDone();
  };
  const acknowledge = (): void => {
    for (const { id } of firing) void actions()?.acknowledge(id);
    onDone();
  };
  const mute = (): void => {
    const ruleIds = new Set(firing.map(({ ruleId }) => ruleId));
    for (const id of ruleIds) void actions()?.mute(id, MUTE_MINUTES);
    onDone();
  };
  return (
    <>
      {notice.body !== '' && <span className={classes['notice']}>{notice.body}</span>}
      <Group gap="xs" mt={6}>
        <Button size="compact-xs" variant="default" onClick={look}>
          Open
        </Button>
        {firing.length > 0 && (
          <>
            <Button size="compact-xs" variant="default" onClick={acknowledge}>
              Acknowledge
            </Button>
            <Button size="compact-xs" variant="default" onClick={mute}>
              Mute for an hour
            </Button>
          </>
        )}
      </Group>
    </>
  );
}
