import { Button, NumberInput, Select } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type FormEvent, useState } from 'react';
import { type BudgetPeriod, type KeyRowFragment, SetKeyBudgetDocument } from '../documents.generated.ts';
import { Dialog } from '../kit/dialog.tsx';

const PERIODS: readonly { readonly value: BudgetPeriod; readonly label: string }[] = [
  { value: 'day', label: 'a day' },
  { value: 'week', label: 'a week, from Monday' },
  { value: 'month', label: 'a month' },
  { value: 'total', label: 'in all' },
];
const LEAST_USD = 0.01;
const MOST_USD = 1_000_000;

interface LimitKeyProps {
  readonly value: KeyRowFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** What a key may spend. */
export function LimitKey({ value: key, onClose, onDone }: LimitKeyProps) {
  // As it stands in the field: `12.50` is no number yet to whoever is still typing.
  const [typed, setTyped] = useState<number | string>(key.budget?.amount ?? '');
  const [period, setPeriod] = useState<BudgetPeriod>(key.budget?.period ?? 'month');
  const { run, running, failure } = useMutation(SetKeyBudgetDocument);
  const set = async (usd: number | null): Promise<void> => {
    if (await run({ id: key.id, usd, period })) onDone();
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void set(Number(typed));
  };
  const buttons = (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      {key.budget && (
        <Button variant="light" color="red" loading={running} onClick={() => void set(null)}>
          Remove the limit
        </Button>
      )}
      <Button type="submit" form="limit-key" loading={running} disabled={!(Number(typed) >= LEAST_USD)}>
        Set the limit
      </Button>
    </>
  );
  return (
    <Dialog
      title={`Spending limit of ${key.label ?? key.prefix}`}
      onClose={onClose}
      failure={failure}
      buttons={buttons}
    >
      <form id="limit-key" onSubmit={send} style={{ display: 'grid', gap: 14 }}>
        <NumberInput
          label="The key may spend"
          placeholder="no limit"
          prefix="$"
          min={LEAST_USD}
          max={MOST_USD}
          decimalScale={2}
          allowNegative={false}
          value={typed}
          onChange={setTyped}
          data-autofocus
        />
        <Select
          label="Period"
          description="Days, weeks and months begin at midnight UTC."
          data={PERIODS}
          value={period}
          onChange={(chosen) => chosen && setPeriod(chosen)}
          allowDeselect={false}
        />
        <p className="kit-soft">
          Requests that would reserve more than is left are refused with 402 <code>budget_exceeded</code>, and cost
          nothing. Only requests from now on count; changing the period starts the count again.
        </p>
      </form>
    </Dialog>
  );
}
