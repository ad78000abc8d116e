import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { useState } from 'react';
import { UsageSummaryDocument } from '../documents.generated.ts';
import { daysOf, lastDays } from '../usage/span.ts';
import { UsageChart } from '../usage/usage-chart.tsx';

const DAYS = 30;

/** What was used lately, as soon as there is something. */
export function LastDays() {
  const [span] = useState(() => lastDays(DAYS));
  const answer = useQuery(UsageSummaryDocument, { from: span.from, to: span.to });
  return (
    <Answer answer={answer} subject="The usage" loadingRows={6}>
      {({ usageSummary }) =>
        usageSummary.total.requests > 0 && (
          <UsageChart title={`The last ${DAYS} days`} days={daysOf(span)} summary={usageSummary} />
        )
      }
    </Answer>
  );
}
