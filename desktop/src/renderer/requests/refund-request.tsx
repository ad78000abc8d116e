import { NumberInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import { type DetailedRequestFragment, RefundRequestDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ChangeDialog } from '../kit/change-dialog.tsx';
import { refundable } from './refundable.ts';

interface RefundRequestProps {
  readonly request: DetailedRequestFragment;
  readonly onRefunded: () => void;
}

/** Gives back of what a request was charged, with a reason; nothing where nothing is left to give back. */
export function RefundRequest({ request, onRefunded }: RefundRequestProps) {
  const left = refundable(request);
  const [usd, setUsd] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const [idempotencyKey, setIdempotencyKey] = useState('');
  const { run: refund } = useMutation(RefundRequestDocument, showFailure);
  if (left === 0) return null;
  const amount = typeof usd === 'number' && usd > 0 && usd <= left ? usd : null;
  const act = async (): Promise<boolean> => {
    if (amount === null) return false;
    const answer = await refund({ requestId: request.id, usd: amount, reason: reason.trim(), idempotencyKey });
    if (answer === null) return false;
    notifications.show({ message: `${money(answer.refundRequest.refunded)} given back.` });
    onRefunded();
    return true;
  };
  return (
    <ChangeDialog
      label="Refund"
      act={amount === null ? 'Refund' : `Refund ${money(amount)}`}
      words={`To ${request.accountEmail ?? request.accountId}, of ${money(left)} at most. The request keeps its cost; the refund is a line of its own.`}
      subject={request.id}
      isComplete={amount !== null && reason.trim() !== ''}
      variant="default"
      size="compact-xs"
      onOpen={() => {
        setUsd(left);
        setReason('');
        setIdempotencyKey(crypto.randomUUID());
      }}
      onAct={act}
    >
      <NumberInput
        label="Amount in USD"
        prefix="$"
        min={0}
        max={left}
        decimalScale={9}
        hideControls
        value={usd}
        onChange={setUsd}
      />
      <TextInput
        label="Reason"
        data-autofocus
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}
