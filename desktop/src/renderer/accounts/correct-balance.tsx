import { notifications } from '@mantine/notifications';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { AdjustCreditDocument, type DetailedAccountFragment } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { type Amount, AmountDialog, MOST_USD } from '../kit/amount-dialog.tsx';

interface CorrectBalanceProps {
  readonly account: DetailedAccountFragment;
  readonly onCorrected: () => void;
}

/** Adds to a balance or takes from it, with a reason: a transfer of its own, since nothing in the ledger is changed. */
export function CorrectBalance({ account, onCorrected }: CorrectBalanceProps) {
  const { id, email, balance } = account;
  const { run: adjust } = useMutation(AdjustCreditDocument, showFailure);
  const act = async ({ reason, ...amount }: Amount): Promise<boolean> => {
    const answer = await adjust({ accountId: id, ...amount, reason: reason ?? '' });
    if (answer === null) return false;
    notifications.show({ message: `Corrected: ${money(answer.adjustCredit.available)} available.` });
    onCorrected();
    return true;
  };
  return (
    <AmountDialog
      label="Correct"
      variant="default"
      words={`The balance of ${email}, of which ${money(balance.available)} can be taken. The reason stands in the account’s ledger.`}
      subject={email}
      amountLabel="Amount in USD, below 0 to take it away"
      least={-MOST_USD}
      most={MOST_USD}
      decimals={9}
      reasonLabel="Reason"
      needsReason
      act={actWords}
      onAct={act}
    />
  );
}

function actWords(usd: number | null): string {
  if (usd === null) return 'Correct';
  return usd < 0 ? `Take ${money(-usd)}` : `Add ${money(usd)}`;
}
