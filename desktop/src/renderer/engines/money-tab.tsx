import { count, plural } from '@ocr-router/ui/format/count.ts';
import { exactMoney, money } from '@ocr-router/ui/format/money.ts';
import { share } from '@ocr-router/ui/format/percent.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import { EngineMoneyDocument, type EngineMoneyQuery } from '../../documents.generated.ts';
import { usePolling } from '../graphql/use-polling.ts';
import { useTimeRange } from '../navigation/time-range.ts';
import classes from './engines.module.css';

type Money = EngineMoneyQuery['engineMoney'];

const POLL_MS = 60_000;

interface MoneyTabProps {
  readonly id: string;
  readonly pricePerPage: number;
}

/** What the engine brought in over the time range, what its provider takes for it, and what is left. */
export function MoneyTab({ id, pricePerPage }: MoneyTabProps) {
  const [range] = useTimeRange();
  const answer = useQuery(EngineMoneyDocument, { id, hours: range.hours });
  usePolling(answer.refetch, POLL_MS);
  return (
    <Answer subject="The money" answer={answer} loadingRows={6}>
      {({ engineMoney }) => (
        <section className={`kit-panel ${classes['money']}`} aria-label="Cost and margin">
          <Facts
            facts={[
              ['Runs', `${count(engineMoney.runs)} ${range.words}${engineMoney.isCut ? ', the newest of them' : ''}`],
              ['Pages', count(engineMoney.pages)],
              ['Charged', <strong key="charged">{exactMoney(engineMoney.charged)}</strong>],
              ['Provider’s cost', costWords(engineMoney)],
              ['Margin', <strong key="margin">{marginWords(engineMoney)}</strong>],
              ['Per page', pageWords(engineMoney, pricePerPage)],
            ]}
          />
          <p className="kit-soft">
            Charged is what the requests that ended on this engine cost their callers. The provider’s cost is what it
            reported; for pages that it sells by the page, what the catalogue says.
          </p>
        </section>
      )}
    </Answer>
  );
}

function costWords({ providerCost, pendingRuns }: Money): string {
  if (providerCost !== null) return exactMoney(providerCost);
  return pendingRuns > 0
    ? `not known: ${plural(pendingRuns, 'run')} whose cost the provider has not reported, or not credibly`
    : 'not known: the catalogue does not say what it takes for a page';
}

function marginWords({ margin, charged }: Money): string {
  if (margin === null) return 'not known';
  if (margin < 0) return `${exactMoney(margin)}: the provider takes more than was charged`;
  return charged === 0 ? exactMoney(margin) : `${exactMoney(margin)}, ${share(margin / charged)} of what was charged`;
}

function pageWords({ providerCostPerPage }: Money, pricePerPage: number): string {
  const cost = providerCostPerPage === null ? '' : `, of which the provider takes ${money(providerCostPerPage)}`;
  return `${money(pricePerPage)}${cost}`;
}
