import { exactMoney } from '@ocr-router/ui/format/money.ts';
import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import type { DetailedRequestFragment } from '../../documents.generated.ts';
import panel from '../kit/kit.module.css';
import { Section } from '../kit/section.tsx';
import { explainHold, explainTransfer, transferSides } from './explain-transfer.ts';
import { RefundRequest } from './refund-request.tsx';

interface RequestBillingProps {
  readonly request: DetailedRequestFragment;
  readonly onRefunded: () => void;
}

/** What was reserved, what was charged, and each line of the ledger with what it is for. */
export function RequestBilling({ request, onRefunded }: RequestBillingProps) {
  const { hold, cost, transfers } = request;
  return (
    <Section title="Billing" controls={<RefundRequest request={request} onRefunded={onRefunded} />}>
      <p className={panel['words']}>{explainHold(request)}</p>
      <Facts
        dense
        facts={[
          ['Reserved', exactMoney(hold)],
          ['Charged', exactMoney(cost)],
        ]}
      />
      {transfers.map((transfer) => (
        <div key={transfer.id} className={panel['item']}>
          <div className={panel['itemHead']}>
            <span>{transferSides(transfer)}</span>
            <strong className={panel['itemEnd']}>{exactMoney(transfer.amount)}</strong>
          </div>
          <div className="kit-soft">
            {explainTransfer(transfer)}
            {transfer.reason && ` “${transfer.reason}”`}
          </div>
        </div>
      ))}
    </Section>
  );
}
