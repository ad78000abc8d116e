import { NumberInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { age } from '@ocr-router/ui/format/age.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { StatusMark } from '@ocr-router/ui/status/status-mark.tsx';
import { useState } from 'react';
import { Link } from 'wouter';
import { PendingCostsDocument, type PendingCostsQuery, VerifyCostDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ChangeDialog } from '../kit/change-dialog.tsx';
import classes from './accounts.module.css';

/** Attempts whose cost the provider has not reported, or not credibly, and whether the ledger adds up. */
export function CostsTab() {
  const answer = useQuery(PendingCostsDocument, {});
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={classes['scrolled']} tabIndex={0} aria-label="Pending costs">
      <Answer subject="The costs" answer={answer}>
        {({ pendingCosts, ledgerChecks }) => (
          <>
            <section className="kit-panel" aria-labelledby="late-costs">
              <h2 id="late-costs" className={classes['heading']}>
                Pending costs{pendingCosts.length > 0 && ` (${pendingCosts.length})`}{' '}
                <span className="kit-soft">of any time</span>
              </h2>
              {pendingCosts.length === 0 ? (
                <Empty title="All costs are known">
                  An attempt is listed here when its provider may have billed for it without saying how much, or said
                  what is not credible.
                </Empty>
              ) : (
                <PendingTable costs={pendingCosts} onVerified={answer.refetch} />
              )}
            </section>
            <LedgerChecks checks={ledgerChecks} />
          </>
        )}
      </Answer>
    </section>
  );
}

interface PendingTableProps {
  readonly costs: PendingCostsQuery['pendingCosts'];
  readonly onVerified: () => void;
}

function PendingTable({ costs, onVerified }: PendingTableProps) {
  return (
    <table className={classes['table']}>
      <thead>
        <tr>
          <th scope="col">Attempt</th>
          <th scope="col">Engine</th>
          <th scope="col">Started</th>
          <th scope="col">Request</th>
          <th scope="col">Why it is not known</th>
          <th scope="col">
            <span className="kit-visually-hidden">Enter its cost</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {costs.map(({ attemptId, requestId, engine, createdAt, usageDoubted }) => (
          <tr key={attemptId}>
            <th scope="row">
              <code>{attemptId}</code>
            </th>
            <td>{engine}</td>
            <td>{age(createdAt)}</td>
            <td>
              <Link className="kit-link" href={`/requests?request=${requestId}`}>
                {requestId}
              </Link>
            </td>
            <td>{usageDoubted ? 'usage not credible' : 'not reported'}</td>
            <td data-align="right">
              <EnterCost attemptId={attemptId} engine={engine} onEntered={onVerified} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface EnterCostProps {
  readonly attemptId: string;
  readonly engine: string;
  readonly onEntered: () => void;
}

function EnterCost({ attemptId, engine, onEntered }: EnterCostProps) {
  const [usd, setUsd] = useState<number | string>('');
  const { run: verify } = useMutation(VerifyCostDocument, showFailure);
  const isAmount = typeof usd === 'number' && usd >= 0;
  const act = async (): Promise<boolean> => {
    if (!isAmount) return false;
    const answer = await verify({ attemptId, usd });
    if (answer === null) return false;
    const { debited, owed } = answer.verifyCost;
    notifications.show({ message: `${money(debited)} debited${owed > 0 ? `, ${money(owed)} owed` : ''}.` });
    onEntered();
    return true;
  };
  return (
    <ChangeDialog
      label="Enter cost"
      act={isAmount ? `Debit ${money(usd)}` : 'Debit'}
      words={`What ${engine} billed for this attempt. It is debited from the account once; it cannot be undone here.`}
      subject={engine}
      isComplete={isAmount}
      variant="default"
      size="compact-xs"
      onOpen={() => setUsd('')}
      onAct={act}
    >
      <NumberInput
        label="Cost in USD"
        data-autofocus
        prefix="$"
        min={0}
        max={10_000}
        decimalScale={9}
        hideControls
        value={usd}
        onChange={setUsd}
      />
    </ChangeDialog>
  );
}

function LedgerChecks({ checks }: { readonly checks: PendingCostsQuery['ledgerChecks'] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className="kit-panel" tabIndex={0} aria-labelledby="ledger-checks">
      <h2 id="ledger-checks" className={classes['heading']}>
        The ledger adds up
      </h2>
      <table className={classes['table']}>
        <tbody>
          {checks.map(({ name, ok, detail }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{detail}</td>
              <td data-align="right">
                <StatusMark state={ok ? 'healthy' : 'down'} word={ok ? 'Holds' : 'Violated'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
