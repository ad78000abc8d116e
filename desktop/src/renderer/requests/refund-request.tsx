import { notifications } from '@mantine/notifications';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type DetailedRequestFragment, RefundRequestDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { type Amount, AmountDialog } from '../kit/amount-dialog.tsx';
import { refundable } from './refundable.ts';

interface RefundRequestProps {
  readonly request: DetailedRequestFragment;
  readonly onRefunded: () => void;
}

/** Gives back of what a request was charged, with a reason; nothing where nothing is left to give back. */
export function RefundRequest({ request, onRefunded }: RefundRequestProps) {
  const left = refundable(request);
  const { run: refund } = useMutation(RefundRequestDocument, showFailure);
  if (left === 0) return null;
  const act = async ({ reason, ...amount }: Amount): Promise<boolean> => {
    const answer = await refund({ requestId: request.id, ...amount, reason: reason ?? '' });
    if (answer === null) return false;
    notifications.show({ message: `${money(answer.refundRequest.refunded)} given back.` });
    onRefunded();
    return true;
  };
  return (
    <AmountDialog
      label="Refund"
      variant="default"
      size="compact-xs"
      words={`To ${request.accountEmail ?? request.accountId}, of ${money(left)} at most. The request keeps its cost; the refund is a ledger line of its own.`}
      subject={request.id}
      amountLabel="Amount in USD"
      least={0}
      most={left}
      decimals={9}
      proposed={left}
      reasonLabel="Reason"
      needsReason
      act={(usd) => (usd === null ? 'Refund' : `Refund ${money(usd)}`)}
      onAct={act}
    />
  );
}
