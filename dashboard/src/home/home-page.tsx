import { Button } from '@mantine/core';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Link } from 'wouter';
import { HomeDocument, type HomeQuery } from '../documents.generated.ts';
import { Page } from '../kit/page.tsx';
import pageHeads from '../kit/page-heads.json';
import { Panel } from '../kit/panel.tsx';
import { RequestList } from '../requests/request-list.tsx';
import { BalanceTiles } from '../usage/balance-tiles.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LastDays, useLastDays } from './last-days.tsx';

/** Where the account stands, and what to do first. */
export function HomePage() {
  const answer = useQuery(HomeDocument, {});
  const lastDays = useLastDays();
  const all = (
    <Link href="/requests" className="kit-link">
      All requests
    </Link>
  );
  return (
    <Page
      {...pageHeads['/']}
      actions={
        <Button component={Link} href="/playground">
          Read a document
        </Button>
      }
    >
      <Answer answer={answer} subject="The account" loadingRows={8} spaced>
        {({ account, webhooks, requests }) => (
          <>
            {!hasBegun({ account, requests }) && (
              <FirstSteps
                hasBalance={account.balance.available > 0}
                hasKey={account.keys.some(({ revokedAt }) => revokedAt === null)}
                hasWebhook={webhooks.length > 0}
              />
            )}
            <BalanceTiles balance={account.balance} />
            <LastDays {...lastDays} />
            <Panel title="Latest requests" actions={all} flush>
              {requests.nodes.length > 0 ? (
                <RequestList rows={requests.nodes} />
              ) : (
                <Empty title="Nothing has been sent yet">Your requests appear here, those of the playground too.</Empty>
              )}
            </Panel>
          </>
        )}
      </Answer>
    </Page>
  );
}

/** Whether the account has ever read something, also where what was charged is all that is left of it. */
function hasBegun({ account, requests }: Pick<HomeQuery, 'account' | 'requests'>): boolean {
  return requests.nodes.length > 0 || account.balance.spent > 0;
}
