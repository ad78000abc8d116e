import { Button, Group, NumberInput } from '@mantine/core';
import { money } from '@ocr-router/ui/format/money.ts';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type FormEvent, useState } from 'react';
import { SetLowBalanceDocument } from '../documents.generated.ts';

const LEAST_USD = 0.01;
/** No account needs to be told earlier. */
const MOST_USD = 1_000_000;

interface LowBalanceProps {
  /** Null: never. */
  readonly threshold: number | null;
  readonly onChanged: () => void;
}

/** Below which balance the dashboard says so on every page. */
export function LowBalance({ threshold, onChanged }: LowBalanceProps) {
  // As it stands in the field: `12.50` is no number yet to whoever is still typing.
  const [typed, setTyped] = useState<number | string>(threshold ?? '');
  const usd = typed === '' ? null : Number(typed);
  const isAmount = usd === null || usd >= LEAST_USD;
  const { run, running, failure } = useMutation(SetLowBalanceDocument);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await run({ usd })) onChanged();
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <Group align="flex-end" gap="sm">
        <NumberInput
          label="Tell me when the balance is below"
          description={threshold === null ? 'Now: never.' : `Now: below ${money(threshold)}, on every page here.`}
          placeholder="never"
          prefix="$"
          w={280}
          min={LEAST_USD}
          max={MOST_USD}
          decimalScale={2}
          allowNegative={false}
          value={typed}
          onChange={setTyped}
        />
        <Button type="submit" variant="default" disabled={!isAmount || usd === threshold} loading={running}>
          Save
        </Button>
      </Group>
      {failure && <p role="alert">{failure}</p>}
    </form>
  );
}
