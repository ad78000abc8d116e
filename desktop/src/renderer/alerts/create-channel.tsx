import { Select, TextInput } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import { type AlertChannelKind, type AlertKind, CreateAlertChannelDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ChangeDialog } from '../kit/change-dialog.tsx';
import { CHANNEL_KINDS } from './channel-kinds.ts';
import { KindsSelect } from './kinds-select.tsx';
import { ShownOnce } from './shown-once.tsx';

const KINDS = Object.entries(CHANNEL_KINDS).map(([value, { name }]) => ({ value, label: name }));

/** Adds a channel, and shows a webhook's secret once. */
export function CreateChannel({ onCreated }: { readonly onCreated: () => void }) {
  const [kind, setKind] = useState<AlertChannelKind>('webhook');
  const [label, setLabel] = useState('');
  const [target, setTarget] = useState('');
  const [kinds, setKinds] = useState<readonly AlertKind[]>([]);
  const [secret, setSecret] = useState<string | null>(null);
  const { run: create } = useMutation(CreateAlertChannelDocument, showFailure);
  const words = CHANNEL_KINDS[kind];
  const act = async (): Promise<boolean> => {
    const answer = await create({ kind, label: label.trim(), target: target.trim(), kinds: [...kinds] });
    if (answer === null) return false;
    setSecret(answer.createAlertChannel.secret);
    onCreated();
    return true;
  };
  return (
    <>
      <ChangeDialog
        label="New channel"
        act="Add channel"
        words="Alerts are sent there when they start and when they end."
        subject={label.trim()}
        isComplete={label.trim() !== '' && target.trim() !== ''}
        variant="default"
        size="compact-xs"
        onOpen={() => {
          setLabel('');
          setTarget('');
          setKinds([]);
        }}
        onAct={act}
      >
        <Select
          label="Type"
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
        <KindsSelect kinds={kinds} onChange={setKinds} />
      </ChangeDialog>
      <ShownOnce secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}
