import { Button } from '@mantine/core';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { cancelWords } from '@ocr-router/ui/requests/cancel-words.ts';
import { useState } from 'react';
import { CancelRequestDocument, type RequestQuery } from '../documents.generated.ts';
import { Dialog } from '../kit/dialog.tsx';

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
  const buttons = (
    <>
      <Button variant="default" onClick={close} data-autofocus>
        Let it run
      </Button>
      <Button color="red.9" loading={running} onClick={() => void cancel()}>
        Cancel the request
      </Button>
    </>
  );
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Cancel
      </Button>
      <Dialog title="Cancel this request?" opened={isAsking} onClose={close} failure={failure} buttons={buttons}>
        <p>{cancelWords(request.status, money(request.hold))}</p>
      </Dialog>
    </>
  );
}
