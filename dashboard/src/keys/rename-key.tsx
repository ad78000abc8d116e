import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type FormEvent, useState } from 'react';
import { type KeyRowFragment, LabelKeyDocument } from '../documents.generated.ts';
import { Dialog } from '../kit/dialog.tsx';

interface RenameKeyProps {
  readonly value: KeyRowFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function RenameKey({ value, onClose, onDone }: RenameKeyProps) {
  const [label, setLabel] = useState(value.label ?? '');
  const { run, running, failure } = useMutation(LabelKeyDocument);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await run({ id: value.id, label })) onDone();
  };
  const buttons = (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form="rename-key" loading={running}>
        Rename
      </Button>
    </>
  );
  return (
    <Dialog title="Rename the key" onClose={onClose} failure={failure} buttons={buttons}>
      <form id="rename-key" onSubmit={(event) => void send(event)}>
        <TextInput
          label="Name"
          description="For you to tell keys apart; callers never see it."
          maxLength={200}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          data-autofocus
        />
      </form>
    </Dialog>
  );
}
