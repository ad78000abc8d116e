import { NumberInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import type { DetailedAccountFragment } from '../../documents.generated.ts';
import { AddCreditDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ChangeDialog } from '../kit/change-dialog.tsx';

const MOST_USD = 1_000_000;

interface AddCreditProps {
  readonly account: DetailedAccountFragment;
  readonly onAdded: () => void;
}

/** Adds credit; the same dialog never adds it twice, however often its answer is lost. */
export function AddCredit({ account, onAdded }: AddCreditProps) {
  const { id, email, balance } = account;
  const [usd, setUsd] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const [idempotencyKey, setIdempotencyKey] = useState('');
  const { run: add } = useMutation(AddCreditDocument, showFailure);
  const isAmount = typeof usd === 'number' && usd > 0;
  const act = async (): Promise<boolean> => {
    if (!isAmount) return false;
    const answer = await add({ accountId: id, usd, reason: reason.trim() || null, idempotencyKey });
    if (answer === null) return false;
    notifications.show({ message: `${money(usd)} added: ${money(answer.addCredit.available)} available.` });
    onAdded();
    return true;
  };
  return (
    <ChangeDialog
      label="Add credit"
      asked="credit"
      act={isAmount ? `Add ${money(usd)}` : 'Add'}
      words={
        balance.owed > 0
          ? `To ${email}. ${money(balance.owed)} is owed and is taken out of it first.`
          : `To ${email}. “Correct” takes back what was too much.`
      }
      subject={email}
      isComplete={isAmount}
      onOpen={() => {
        setUsd('');
        setReason('');
        setIdempotencyKey(crypto.randomUUID());
      }}
      onAct={act}
    >
      <NumberInput
        label="Amount in USD"
        data-autofocus
        prefix="$"
        min={0}
        max={MOST_USD}
        decimalScale={2}
        thousandSeparator=","
        hideControls
        value={usd}
        onChange={setUsd}
      />
      <TextInput
        label="Reason, if there is one to keep"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}
