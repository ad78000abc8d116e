import { Group } from '@mantine/core';
import { exactMoney, money } from '@ocr-router/ui/format/money.ts';
import { fullTime, shortTime } from '@ocr-router/ui/format/time.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import { Link } from 'wouter';
import {
  AccountDetailDocument,
  type AccountDetailQuery,
  type DetailedAccountFragment,
  SetHistoryDocument,
} from '../../documents.generated.ts';
import { useChange } from '../graphql/use-change.ts';
import { ConfirmButton } from '../kit/confirm-button.tsx';
import { ExportButton } from '../kit/export-button.tsx';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';
import { SidePanel } from '../kit/side-panel.tsx';
import { explainTransfer, transferSides } from '../requests/explain-transfer.ts';
import { AccountKeys } from './account-keys.tsx';
import { AddCredit } from './add-credit.tsx';
import { auditText } from './audit-text.ts';
import { CorrectBalance } from './correct-balance.tsx';
import { LEDGER_FILE, ledgerReader } from './ledger-file.ts';

interface AccountPanelProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** One account in full: its money, its keys, its ledger, and what operators did to it. */
export function AccountPanel({ id, onClose, onChanged }: AccountPanelProps) {
  const answer = useQuery(AccountDetailDocument, { id, subject: id });
  const changed = (): void => {
    answer.refetch();
    onChanged();
  };
  return (
    <SidePanel what="account" title={answer.data?.account.email ?? id} id={id} onClose={onClose}>
      <Answer subject="The account" answer={answer} loadingRows={10}>
        {({ account, ledger, auditLog }) => (
          <>
            <Balance account={account} onChanged={changed} />
            <AccountKeys account={account} onChanged={changed} />
            <Texts account={account} onChanged={changed} />
            <LedgerLines accountId={id} ledger={ledger} />
            <Section title="Audit log">
              {auditLog.nodes.length === 0 && <p className={panel['words']}>Nothing since it was created.</p>}
              {auditLog.nodes.map((entry) => (
                <div key={entry.id} className={panel['item']}>
                  {auditText(entry)}
                  <span className="kit-soft"> {shortTime(entry.at)}</span>
                </div>
              ))}
            </Section>
          </>
        )}
      </Answer>
    </SidePanel>
  );
}

interface PartProps {
  readonly account: DetailedAccountFragment;
  readonly onChanged: () => void;
}

function Balance({ account, onChanged }: PartProps) {
  const { balance, tier, demo, createdAt, id } = account;
  return (
    <Section
      title="Balance"
      controls={
        <Group gap="xs">
          <CorrectBalance account={account} onCorrected={onChanged} />
          <AddCredit account={account} onAdded={onChanged} />
        </Group>
      }
    >
      {balance.owed > 0 && (
        <p className={panel['trouble']}>
          {money(balance.owed)} owed: the next top-up pays it first, and token-priced engines refuse until then.
        </p>
      )}
      <Facts
        dense
        facts={[
          ['Available', <strong key="available">{exactMoney(balance.available)}</strong>],
          ['Held', exactMoney(balance.held)],
          ['Owed', exactMoney(balance.owed)],
          ['Charged', exactMoney(balance.spent)],
          ['Tier', tier],
          ['Since', fullTime(createdAt)],
          ['Marked', demo ? 'demo: its traffic is invented' : null],
          [
            'Requests',
            <Link key="requests" className="kit-link" href={`/requests?account=${id}&time=any`}>
              Show them
            </Link>,
          ],
        ]}
      />
    </Section>
  );
}

function Texts({ account, onChanged }: PartProps) {
  const { id, email, history } = account;
  const change = useChange(SetHistoryDocument, {
    done: ({ setHistory }) => (setHistory.history ? 'Texts are kept from now on.' : 'Texts were deleted.'),
  });
  return (
    <Section
      title="Texts"
      controls={
        <ConfirmButton
          variant="default"
          loading={change.running}
          subject={email}
          words={
            history
              ? 'Every stored text of this account is deleted at once and for good.'
              : 'Texts of requests that end from now on are kept.'
          }
          onConfirm={() => void change.run({ accountId: id, on: !history }).then(onChanged)}
        >
          {history ? 'Stop keeping and delete' : 'Keep texts'}
        </ConfirmButton>
      }
    >
      <p className={panel['words']}>
        {history ? 'Results are kept and can be read again.' : 'Results are given once and not kept.'}
      </p>
    </Section>
  );
}

interface LedgerLinesProps extends Pick<AccountDetailQuery, 'ledger'> {
  readonly accountId: string;
}

function LedgerLines({ accountId, ledger }: LedgerLinesProps) {
  return (
    <Section
      title={ledger.pageInfo.hasNextPage ? 'Ledger, the last 20 lines' : 'Ledger'}
      controls={<ExportButton name="ledger" from={() => ledgerReader(accountId)} columns={LEDGER_FILE} />}
    >
      {ledger.nodes.length === 0 && <p className={panel['words']}>No money has moved yet.</p>}
      {ledger.nodes.map((transfer) => (
        <div key={transfer.id} className={panel['item']}>
          <div className={panel['itemHead']}>
            <span>{transferSides(transfer)}</span>
            <strong className={panel['itemEnd']}>{exactMoney(transfer.amount)}</strong>
          </div>
          <div className="kit-soft">
            {explainTransfer(transfer)} {transfer.reason && `“${transfer.reason}” `}
            {shortTime(transfer.createdAt)}{' '}
            {transfer.requestId && (
              <Link className="kit-link" href={`/requests?request=${transfer.requestId}`}>
                Request
              </Link>
            )}
          </div>
        </div>
      ))}
    </Section>
  );
}
