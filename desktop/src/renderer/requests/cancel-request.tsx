import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { cancelWords } from '@ocr-router/ui/requests/cancel-words.ts';
import { CancelRequestDocument, type DetailedRequestFragment } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ConfirmButton } from '../kit/confirm-button.tsx';

interface CancelRequestProps {
  readonly request: Pick<DetailedRequestFragment, 'id' | 'status' | 'hold' | 'finishedAt'>;
  /** One of many in a list: small, and named by its request. */
  readonly inList?: boolean;
  readonly onCancelled: () => void;
}

/** Ends a request that waits or is at work, whosever it is; nothing for one that has ended. */
export function CancelRequest({ request, inList = false, onCancelled }: CancelRequestProps) {
  const { run, running } = useMutation(CancelRequestDocument, showFailure);
  if (request.finishedAt !== null) return null;
  const cancel = async (): Promise<void> => {
    if (await run({ id: request.id })) onCancelled();
  };
  return (
    <ConfirmButton
      color="red"
      variant="default"
      {...(inList && { size: 'compact-xs', about: request.id })}
      loading={running}
      subject={request.id}
      words={cancelWords(request.status, money(request.hold))}
      onConfirm={() => void cancel()}
    >
      Cancel the request
    </ConfirmButton>
  );
}
