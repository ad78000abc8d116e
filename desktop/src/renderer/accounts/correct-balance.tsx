import { NumberInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import { AdjustCreditDocument, type DetailedAccountFragment } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ChangeDialog } from '../kit/change-dialog.tsx';

const MOST_USD = 1_000_000;

interface CorrectBalanceProps {
  readonly account: DetailedAccountFragment;
  readonly onCorrected: () => void;
}

/** Adds to a balance or takes from it, with a reason: a transfer of its own, since nothing in the ledger is changed. */
export function CorrectBalance({ account, onCorrected }: CorrectBalanceProps) {
  const { id, email, balance } = account;
  const [usd, setUsd] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const [idempotencyKey, setIdempotencyKey] = useState('');
  const { run: adjust } = useMutation(AdjustCreditDocument, showFailure);
  const amount = typeof usd === 'number' && usd !== 0 ? usd : null;
  const act = async (): Promise<boolean> => {
    if (amount === null) return false;
    const answer = await adjust({ accountId: id, usd: amount, reason: reason.trim(), idempotencyKey });
    if (answer === null) return false;
    notifications.show({ message: `Corrected: ${money(answer.adjustCredit.available)} available.` });
    onCorrected();
    return true;
  };
  return (
    <ChangeDialog
      label="Correct"
      act={amount === null ? 'Correct' : amount < 0 ? `Take ${money(-amount)}` : `Add ${money(amount)}`}
      words={`The balance of ${email}, of which ${money(balance.available)} can be taken. The reason stands in the account’s ledger.`}
      subject={email}
      isComplete={amount !== null && reason.trim() !== ''}
      variant="default"
      onOpen={() => {
        setUsd('');
        setReason('');
        setIdempotencyKey(crypto.randomUUID());
      }}
      onAct={act}
    >
      <NumberInput
        label="Amount in USD, below 0 to take it away"
        data-autofocus
        prefix="$"
        min={-MOST_USD}
        max={MOST_USD}
        decimalScale={9}
        thousandSeparator=","
        hideControls
        value={usd}
        onChange={setUsd}
      />
      <TextInput
        label="Reason"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}
