import { TextInput } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import { type AlertKind, ChangeAlertChannelDocument, type ChannelLineFragment } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ChangeDialog } from '../kit/change-dialog.tsx';
import { KindsSelect } from './kinds-select.tsx';

interface EditChannelProps {
  readonly channel: ChannelLineFragment;
  readonly onChanged: () => void;
}

/** What a channel is called, and which alerts are sent there. */
export function EditChannel({ channel, onChanged }: EditChannelProps) {
  const [label, setLabel] = useState('');
  const [kinds, setKinds] = useState<readonly AlertKind[]>([]);
  const { run: change } = useMutation(ChangeAlertChannelDocument, showFailure);
  const act = async (): Promise<boolean> => {
    const answer = await change({ id: channel.id, label: label.trim(), kinds: [...kinds] });
    if (answer !== null) onChanged();
    return answer !== null;
  };
  return (
    <ChangeDialog
      label="Edit"
      about={channel.label}
      act="Save channel"
      subject={channel.label}
      isComplete={label.trim() !== ''}
      variant="subtle"
      onOpen={() => {
        setLabel(channel.label);
        setKinds(channel.kinds ?? []);
      }}
      onAct={act}
    >
      <TextInput label="Name" maxLength={200} value={label} onChange={(event) => setLabel(event.currentTarget.value)} />
      <KindsSelect kinds={kinds} onChange={setKinds} />
    </ChangeDialog>
  );
}
