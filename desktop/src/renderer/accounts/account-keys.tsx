import { age } from '@ocr-router/ui/format/age.ts';
import { plural } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { Link } from 'wouter';
import type { DetailedAccountFragment } from '../../documents.generated.ts';
import { RevokeKeyDocument } from '../../documents.generated.ts';
import { useChange } from '../graphql/use-change.ts';
import { ConfirmButton } from '../kit/confirm-button.tsx';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';
import { CreateKey } from './create-key.tsx';

interface AccountKeysProps {
  readonly account: DetailedAccountFragment;
  readonly onChanged: () => void;
}

/** The account's keys, those in use first: what they may do, when they were used, what they spent. */
export function AccountKeys({ account, onChanged }: AccountKeysProps) {
  const { keys } = account;
  const inOrder = [...keys].sort((a, b) => Number(a.revokedAt != null) - Number(b.revokedAt != null));
  return (
    <Section title="Keys" controls={<CreateKey account={account} onCreated={onChanged} />}>
      {keys.length === 0 && <p className={panel['words']}>No keys: the account can only use the dashboard.</p>}
      {inOrder.map((key) => (
        <KeyItem key={key.id} accountId={account.id} apiKey={key} onRevoked={onChanged} />
      ))}
    </Section>
  );
}

const IN = { day: 'today', week: 'this week', month: 'this month', total: 'in all' } as const;

interface KeyItemProps {
  readonly accountId: string;
  readonly apiKey: DetailedAccountFragment['keys'][number];
  readonly onRevoked: () => void;
}

function KeyItem({ accountId, apiKey, onRevoked }: KeyItemProps) {
  const { id, label, prefix, scopes, createdAt, lastUsedAt, revokedAt, usage30Days: used, budget } = apiKey;
  const revoke = useChange(RevokeKeyDocument, { done: () => `${label ?? prefix} is revoked.` });
  const name = label ?? `${prefix}…`;
  return (
    <div className={panel['item']}>
      <div className={panel['itemHead']}>
        <strong>{name}</strong>
        {label && <code className="kit-soft">{prefix}…</code>}
        <span className={panel['itemEnd']}>
          {revokedAt == null ? (
            <ConfirmButton
              color="red"
              variant="subtle"
              loading={revoke.running}
              subject={name}
              words={`Calls with ${name} are refused from now on. Requests that are running finish as usual. This cannot be undone.`}
              asked={`revoke-${id}`}
              onConfirm={() => void revoke.run({ id }).then(onRevoked)}
            >
              Revoke
            </ConfirmButton>
          ) : (
            <span className="kit-soft">revoked {age(revokedAt)}</span>
          )}
        </span>
      </div>
      <div className="kit-soft">
        {scopes.join(', ')} · created {age(createdAt)} · {lastUsedAt == null ? 'never used' : `used ${age(lastUsedAt)}`}
      </div>
      <div className="kit-soft">
        {money(used.spent)} in 30 days, {plural(used.requests, 'request')}, {plural(used.pages, 'page')}{' '}
        <Link className="kit-link" href={`/requests?account=${accountId}&key=${id}&time=any`}>
          Requests
        </Link>
      </div>
      {budget && (
        <div className="kit-soft">
          Spending limit: {money(budget.spent + budget.held)} of {money(budget.amount)} {IN[budget.period]}
        </div>
      )}
    </div>
  );
}
