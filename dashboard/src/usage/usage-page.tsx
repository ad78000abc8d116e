import { plural } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { LeftOut } from '@ocr-router/ui/kit/left-out.tsx';
import { ResultNews } from '@ocr-router/ui/kit/result-news.tsx';
import { useLocation, useSearch } from 'wouter';
import { MeDocument, UsageSummaryDocument, type UsageSummaryQuery } from '../documents.generated.ts';
import { Page } from '../kit/page.tsx';
import pageHeads from '../kit/page-heads.json';
import { BalanceTiles } from './balance-tiles.tsx';
import { CsvButton } from './csv-button.tsx';
import { Ledger } from './ledger.tsx';
import { LowBalance } from './low-balance.tsx';
import { MonthTrendChart } from './month-trend-chart.tsx';
import { daysOf, leftOutOf, type Span, spanIn } from './span.ts';
import { SpanPicker } from './span-picker.tsx';
import classes from './usage.module.css';
import { UsageChart } from './usage-chart.tsx';
import { UsageTable } from './usage-table.tsx';
import { UsageTotal } from './usage-total.tsx';

/** What the account has, what it used, and every movement of its money. */
export default function UsagePage() {
  const [, go] = useLocation();
  const search = useSearch();
  const span = spanIn(search);
  const setSpan = ({ from, to }: Span): void => go(`/usage?${new URLSearchParams({ from, to })}`, { replace: true });
  const me = useQuery(MeDocument, {});
  const usage = useQuery(UsageSummaryDocument, { from: span.from, to: span.to });
  return (
    <Page {...pageHeads['/usage']}>
      <Answer answer={me} subject="The balance" loadingRows={2} spaced>
        {({ account: { balance } }) => (
          <>
            <BalanceTiles balance={balance} />
            <LowBalance key={balance.lowThreshold} threshold={balance.lowThreshold} onChanged={me.refetch} />
          </>
        )}
      </Answer>
      <MonthTrendChart />
      <LeftOut words={leftOutOf(search)} />
      <div className={classes['spanBar']}>
        <SpanPicker span={span} onChange={setSpan} />
        {me.data && <CsvButton accountId={me.data.account.id} span={span} />}
      </div>
      <ResultNews
        asked={`${span.from} ${span.to}`}
        found={usage.data && !usage.loading ? foundText(usage.data) : null}
      />
      <Answer answer={usage} subject="The usage" loadingRows={8} spaced>
        {({ usageSummary }) => (
          <>
            <UsageTotal total={usageSummary.total} span={span} />
            <UsageChart title="By day and engine" days={daysOf(span)} summary={usageSummary} />
            <UsageTable title="By engine" first="Engine" slices={usageSummary.byEngine} />
            <UsageTable title="By key" first="Key" slices={usageSummary.byKey} />
          </>
        )}
      </Answer>
      <Ledger key={`${span.from} ${span.to}`} span={span} />
    </Page>
  );
}

function foundText({ usageSummary: { total } }: UsageSummaryQuery): string {
  return `${plural(total.requests, 'request')}, ${money(total.cost)}`;
}
