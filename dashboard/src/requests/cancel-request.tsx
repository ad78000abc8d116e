import { Button } from '@mantine/core';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { cancelWords } from '@ocr-router/ui/requests/cancel-words.ts';
import { useState } from 'react';
import { CancelRequestDocument, type RequestQuery } from '../documents.generated.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';

interface CancelRequestProps {
  readonly request: Pick<RequestQuery['request'], 'id' | 'status' | 'hold'>;
  readonly onCancelled: () => void;
}

/** Ends a request that waits or is at work; asks first, and says what that costs. */
export function CancelRequest({ request, onCancelled }: CancelRequestProps) {
  const [isAsking, setAsking] = useState(false);
  const { run, running, failure, forget } = useMutation(CancelRequestDocument);
  const close = (): void => {
    forget();
    setAsking(false);
  };
  const cancel = async (): Promise<void> => {
    if (!(await run({ id: request.id }))) return;
    setAsking(false);
    onCancelled();
  };
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Cancel
      </Button>
      <ConfirmDialog
        title="Cancel this request?"
        opened={isAsking}
        keep="Let it run"
        act="Cancel the request"
        acting={running}
        onAct={() => void cancel()}
        onClose={close}
        failure={failure}
      >
        <p>{cancelWords(request.status, money(request.hold))}</p>
      </ConfirmDialog>
    </>
  );
}
