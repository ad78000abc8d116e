import { Alert, Button, Code, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import { type AlertChannelKind, CreateAlertChannelDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ChangeDialog } from '../kit/change-dialog.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import { CHANNEL_KINDS } from './channel-kinds.ts';

const KINDS = Object.entries(CHANNEL_KINDS).map(([value, { name }]) => ({ value, label: name }));

/** Adds a channel, and shows a webhook's secret once. */
export function CreateChannel({ onCreated }: { readonly onCreated: () => void }) {
  const [kind, setKind] = useState<AlertChannelKind>('webhook');
  const [label, setLabel] = useState('');
  const [target, setTarget] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const { run: create } = useMutation(CreateAlertChannelDocument, showFailure);
  const words = CHANNEL_KINDS[kind];
  const act = async (): Promise<boolean> => {
    const answer = await create({ kind, label: label.trim(), target: target.trim() });
    if (answer === null) return false;
    setSecret(answer.createAlertChannel.secret);
    onCreated();
    return true;
  };
  return (
    <>
      <ChangeDialog
        label="New channel"
        act="Add the channel"
        words="Every alert is sent there when it begins and when it is over."
        subject={label.trim()}
        isComplete={label.trim() !== '' && target.trim() !== ''}
        variant="default"
        size="compact-xs"
        onOpen={() => {
          setLabel('');
          setTarget('');
        }}
        onAct={act}
      >
        <Select
          label="By"
          allowDeselect={false}
          data={KINDS}
          value={kind}
          onChange={(value) => value !== null && setKind(value as AlertChannelKind)} // one of the above
        />
        <TextInput
          label="Name"
          data-autofocus
          maxLength={200}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <TextInput
          label={words.target}
          description={words.help}
          placeholder={words.placeholder}
          maxLength={2600}
          value={target}
          onChange={(event) => setTarget(event.currentTarget.value)}
        />
      </ChangeDialog>
      <ShownOnce secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function ShownOnce({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title="The channel’s signing secret"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="sm">
        <Alert color="yellow" variant="light">
          The receiver checks signatures with it. Copy it now: it is shown here and never again.
        </Alert>
        <Code block>{secret}</Code>
        <Group justify="flex-end">
          <CopyButton text={secret ?? ''} what="secret" label="Copy the secret" size="xs" />
          <Button onClick={onClose}>I have kept it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
