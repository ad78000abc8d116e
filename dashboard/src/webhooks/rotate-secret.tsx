import { Button } from '@mantine/core';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import {
  RotateWebhookSecretDocument,
  type RotateWebhookSecretMutation,
  type WebhookRowFragment,
} from '../documents.generated.ts';
import { Dialog } from '../kit/dialog.tsx';
import { ShownSecret } from './shown-secret.tsx';

interface RotateSecretProps {
  readonly webhook: WebhookRowFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Another secret; the former one signs beside it for a day, so that no call is lost meanwhile. */
export function RotateSecret({ webhook, onClose, onDone }: RotateSecretProps) {
  const { run, running, failure } = useMutation(RotateWebhookSecretDocument);
  const [rotated, setRotated] = useState<RotateWebhookSecretMutation['rotateWebhookSecret'] | null>(null);
  const rotate = async (): Promise<void> => {
    const made = await run({ id: webhook.id });
    if (!made) return;
    setRotated(made.rotateWebhookSecret);
    onDone();
  };
  if (rotated?.secret) {
    const until = rotated.previousSecretUntil;
    return (
      <ShownSecret title="The new secret" secret={rotated.secret} onClose={onClose}>
        {until && (
          <p className="kit-soft">
            Until {fullTime(until)} calls carry both signatures, of the new and the former secret.
          </p>
        )}
      </ShownSecret>
    );
  }
  const buttons = (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button loading={running} onClick={() => void rotate()}>
        Create a new secret
      </Button>
    </>
  );
  return (
    <Dialog title="Create a new secret?" onClose={onClose} failure={failure} buttons={buttons}>
      <p>
        For 24 hours both secrets sign every call. Switch your receiver to the new one in that time, and nothing is
        lost.
      </p>
      {webhook.previousSecretUntil && (
        <p className="kit-soft">
          A change is under way: each former secret goes on signing for 24 hours after its own.
        </p>
      )}
    </Dialog>
  );
}
