import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useState } from 'react';
import { UsageSummaryDocument } from '../documents.generated.ts';
import { daysOf, lastDays } from '../usage/span.ts';
import { UsageChart } from '../usage/usage-chart.tsx';

const DAYS = 30;

/** Asked for by the page that shows it, together with the rest. */
export function useLastDays() {
  const [span] = useState(() => lastDays(DAYS));
  return { span, answer: useQuery(UsageSummaryDocument, { from: span.from, to: span.to }) };
}

/** What was used lately, as soon as there is something. */
export function LastDays({ span, answer }: ReturnType<typeof useLastDays>) {
  return (
    <Answer answer={answer} subject="The usage" loadingRows={10}>
      {({ usageSummary }) =>
        usageSummary.total.requests > 0 && (
          <UsageChart title={`The last ${DAYS} days`} days={daysOf(span)} summary={usageSummary} />
        )
      }
    </Answer>
  );
}
