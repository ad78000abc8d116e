import { Button } from '@mantine/core';
import { apiAddress } from '../http/addresses.ts';
import { CodeBlock } from '../kit/code-block.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { SecretText } from '../kit/secret-text.tsx';
import { firstCall } from './first-call.ts';

interface MadeKeyProps {
  readonly apiKey: string;
  readonly canWrite: boolean;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The new key, once, with a call that works as it stands. */
export function MadeKey({ apiKey, canWrite, opened, onClose }: MadeKeyProps) {
  return (
    <Dialog
      title="Your new key"
      opened={opened}
      onClose={onClose}
      wide
      mustDecide
      buttons={<Button onClick={onClose}>I have kept it</Button>}
    >
      <p>Copy it now: it is not shown again. Whoever has it can spend your credit.</p>
      <SecretText label="The key" text={apiKey} />
      {canWrite && (
        <>
          <p>Try it in a terminal. This reads a small picture of the word READY:</p>
          <CodeBlock label="A first call with curl" text={firstCall(apiAddress(), apiKey)} />
        </>
      )}
    </Dialog>
  );
}
