import { NumberInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ChangeDialog } from './change-dialog.tsx';

/** The most that is moved at once. */
export const MOST_USD = 1_000_000;

/** What was filled in. */
export interface Amount {
  readonly usd: number;
  /** Null where none is given. */
  readonly reason: string | null;
  /** The same until the dialog is opened anew, so that it moves money once, however often its answer is lost. */
  readonly idempotencyKey: string;
}

interface AmountDialogProps {
  readonly label: string;
  readonly asked?: string;
  readonly variant?: string;
  readonly size?: string;
  readonly words: ReactNode;
  readonly subject: string;
  readonly amountLabel: string;
  /** From `least` to `most`, in USD, and never 0. */
  readonly least: number;
  readonly most: number;
  readonly decimals: number;
  /** What is proposed. */
  readonly proposed?: number;
  readonly reasonLabel: string;
  readonly needsReason: boolean;
  /** Words of the button that does it; `usd` is null while there is no amount. */
  readonly act: (usd: number | null) => string;
  /** Closes the dialog when it answers true. */
  readonly onAct: (amount: Amount) => Promise<boolean>;
}

/** Asks for an amount of money and the reason to move it. */
export function AmountDialog(props: AmountDialogProps) {
  const { amountLabel, least, most, decimals, proposed, reasonLabel, needsReason, act, onAct, ...dialog } = props;
  const [typed, setTyped] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const [idempotencyKey, setIdempotencyKey] = useState('');
  const usd = typeof typed === 'number' && typed !== 0 && typed >= least && typed <= most ? typed : null;
  return (
    <ChangeDialog
      {...dialog}
      act={act(usd)}
      isComplete={usd !== null && (!needsReason || reason.trim() !== '')}
      onOpen={() => {
        setTyped(proposed ?? '');
        setReason('');
        setIdempotencyKey(crypto.randomUUID());
      }}
      onAct={async () => usd !== null && onAct({ usd, reason: reason.trim() || null, idempotencyKey })}
    >
      <NumberInput
        label={amountLabel}
        data-autofocus={proposed === undefined || undefined}
        prefix="$"
        min={least}
        max={most}
        decimalScale={decimals}
        thousandSeparator=","
        hideControls
        value={typed}
        onChange={setTyped}
      />
      <TextInput
        label={reasonLabel}
        data-autofocus={proposed !== undefined || undefined}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}
