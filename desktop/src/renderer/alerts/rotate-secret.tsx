import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import { type ChannelLineFragment, RotateAlertChannelSecretDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ConfirmButton } from '../kit/confirm-button.tsx';
import { ShownOnce } from './shown-once.tsx';

interface RotateSecretProps {
  readonly channel: ChannelLineFragment;
  readonly onChanged: () => void;
}

/** Makes a new signing secret and shows it once; the former one signs beside it for a day. */
export function RotateSecret({ channel, onChanged }: RotateSecretProps) {
  const { id, label } = channel;
  const [secret, setSecret] = useState<string | null>(null);
  const { run, running } = useMutation(RotateAlertChannelSecretDocument, showFailure);
  const rotate = async (): Promise<void> => {
    const answer = await run({ id });
    if (answer === null) return;
    setSecret(answer.rotateAlertChannelSecret.secret);
    onChanged();
  };
  return (
    <>
      <ConfirmButton
        variant="subtle"
        loading={running}
        about={label}
        subject={label}
        words="From now on alerts are signed with the new secret and, for 24 hours, with the current one as well."
        onConfirm={() => void rotate()}
      >
        New secret
      </ConfirmButton>
      <ShownOnce secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}
