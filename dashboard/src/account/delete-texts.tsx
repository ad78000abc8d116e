import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import { DeleteTextsDocument } from '../documents.generated.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';

interface DeleteTextsProps {
  readonly onDeleted: () => void;
}

/** Deletes the texts of everything that was sent until now, and goes on keeping those of what comes. */
export function DeleteTexts({ onDeleted }: DeleteTextsProps) {
  const [isAsking, setAsking] = useState(false);
  const { run, running, failure, forget } = useMutation(DeleteTextsDocument);
  const close = (): void => {
    forget();
    setAsking(false);
  };
  const remove = async (): Promise<void> => {
    const isDone = (await run({})) !== null;
    onDeleted(); // half of it may have been done: what the page shows is asked for anew
    if (!isDone) return;
    setAsking(false);
    notifications.show({ message: 'The texts cannot be read any more, and are being deleted.' });
  };
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Delete all texts…
      </Button>
      <ConfirmDialog
        title="Delete all texts?"
        opened={isAsking}
        keep="Keep them"
        act="Delete all texts"
        acting={running}
        onAct={() => void remove()}
        onClose={close}
        failure={failure}
      >
        <p>
          The texts and previews of every request that was sent until now cannot be read any more from this moment on,
          and are deleted for good, page by page. A request that is still running keeps none when it ends.
        </p>
        <p>
          What was sent when, by which engine and key, and what it cost, stays; so do the texts of what you send from
          now on. To delete one request alone, with how it was asked for, use{' '}
          <code>DELETE /v1/ocr/{'{request_id}'}</code>.
        </p>
      </ConfirmDialog>
    </>
  );
}
