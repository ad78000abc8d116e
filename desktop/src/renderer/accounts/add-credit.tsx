import { notifications } from '@mantine/notifications';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import type { DetailedAccountFragment } from '../../documents.generated.ts';
import { AddCreditDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { type Amount, AmountDialog, MOST_USD } from '../kit/amount-dialog.tsx';

interface AddCreditProps {
  readonly account: DetailedAccountFragment;
  readonly onAdded: () => void;
}

/** Adds credit; the same dialog never adds it twice, however often its answer is lost. */
export function AddCredit({ account, onAdded }: AddCreditProps) {
  const { id, email, balance } = account;
  const { run: add } = useMutation(AddCreditDocument, showFailure);
  const act = async (amount: Amount): Promise<boolean> => {
    const answer = await add({ accountId: id, ...amount });
    if (answer === null) return false;
    notifications.show({ message: `${money(amount.usd)} added: ${money(answer.addCredit.available)} available.` });
    onAdded();
    return true;
  };
  return (
    <AmountDialog
      label="Add credit"
      asked="credit"
      words={
        balance.owed > 0
          ? `To ${email}. ${money(balance.owed)} is owed and paid from it first.`
          : `To ${email}. “Correct” takes back any excess.`
      }
      subject={email}
      amountLabel="Amount in USD"
      least={0}
      most={MOST_USD}
      decimals={2}
      reasonLabel="Reason (optional, kept in the ledger)"
      needsReason={false}
      act={(usd) => (usd === null ? 'Add' : `Add ${money(usd)}`)}
      onAct={act}
    />
  );
}
