import { Button, Group, Switch } from '@mantine/core';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import {
  type ChannelLineFragment,
  DeleteAlertChannelDocument,
  SwitchAlertChannelDocument,
  TestAlertChannelDocument,
} from '../../documents.generated.ts';
import { useChange } from '../graphql/use-change.ts';
import { ConfirmButton } from '../kit/confirm-button.tsx';
import classes from './alerts.module.css';
import { CHANNEL_KINDS } from './channel-kinds.ts';
import { CreateChannel } from './create-channel.tsx';
import { EditChannel } from './edit-channel.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { ruleKind } from './rule-kinds.ts';

interface ChannelListProps {
  readonly channels: readonly ChannelLineFragment[];
  readonly onChanged: () => void;
}

/** Where alerts are sent, and whether they arrive there. */
export function ChannelList({ channels, onChanged }: ChannelListProps) {
  return (
    <section aria-labelledby="channels">
      <h2 id="channels" className={classes['heading']}>
        Channels
        <CreateChannel onCreated={onChanged} />
      </h2>
      {channels.length === 0 ? (
        <div className={`kit-panel ${classes['firing']}`}>
          <StatusMark state="degraded" word="No channel yet: alerts reach nobody while no console is open" />
        </div>
      ) : (
        <ul className={classes['rules']}>
          {channels.map((channel) => (
            <Channel key={channel.id} channel={channel} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Channel({ channel, onChanged }: { readonly channel: ChannelLineFragment; readonly onChanged: () => void }) {
  const { id, kind, label, target, isActive } = channel;
  const test = useChange(TestAlertChannelDocument, { done: () => `A test is on its way to ${label}.` });
  const turn = useChange(SwitchAlertChannelDocument, {
    done: ({ updateAlertChannel }) => `${label} is ${updateAlertChannel.isActive ? 'on' : 'off'}.`,
  });
  const remove = useChange(DeleteAlertChannelDocument, { done: () => `${label} was removed.` });
  const after = (done: Promise<boolean>): void => void done.then((isDone) => isDone && onChanged());
  return (
    <li className={`kit-panel ${classes['rule']}`} data-enabled={isActive}>
      <ChannelState channel={channel} />
      <p className={classes['sentence']}>
        <strong>{label}</strong> {CHANNEL_KINDS[kind].name}, <span className={classes['target']}>{target}</span>
        <ChannelWords channel={channel} />
      </p>
      <Group gap="xs" className={classes['ruleControls']}>
        <Switch
          aria-label={`On: ${label}`}
          checked={isActive}
          onChange={(event) => after(turn.run({ id, isActive: event.currentTarget.checked }))}
        />
        <Button
          variant="default"
          loading={test.running}
          aria-label={`Send a test to ${label}`}
          onClick={() => after(test.run({ id }))}
        >
          Test
        </Button>
        <EditChannel channel={channel} onChanged={onChanged} />
        {kind === 'webhook' && <RotateSecret channel={channel} onChanged={onChanged} />}
        <ConfirmButton
          variant="subtle"
          color="red"
          about={label}
          words={`Nothing more is sent to ${label}, and its delivery log is deleted.`}
          subject={label}
          onConfirm={() => after(remove.run({ id }))}
        >
          Remove
        </ConfirmButton>
      </Group>
    </li>
  );
}

function ChannelState({ channel }: { readonly channel: ChannelLineFragment }) {
  const { isActive, lastStatus, lastError, lastEndedAt } = channel;
  if (!isActive) return <StatusMark state="disabled" word="Off" />;
  if (lastError !== null) return <StatusMark state="down" word="Failing" />;
  if (lastStatus === 'delivered' && lastEndedAt !== null) return <StatusMark state="healthy" word="Delivering" />;
  return <StatusMark state="no-data" word="Not used" />;
}

function ChannelWords({ channel }: { readonly channel: ChannelLineFragment }) {
  const { kinds, waiting, lastEndedAt, lastStatus, lastError } = channel;
  const words = [
    kinds !== null && `only: ${kinds.map((kind) => ruleKind(kind).name).join(', ')}`,
    lastError,
    waiting > 0 && `${waiting} on the way`,
    lastEndedAt !== null && `${lastStatus === 'delivered' ? 'delivered' : 'given up'} ${shortTime(lastEndedAt)}`,
  ].filter((each) => typeof each === 'string');
  return words.length === 0 ? null : <span className={classes['channelWords']}>{words.join(' · ')}</span>;
}
