import { Button } from '@mantine/core';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { Link } from 'wouter';
import { HomeDocument } from '../documents.generated.ts';
import { Answer } from '../graphql/answer.tsx';
import { useAnswer } from '../graphql/use-answer.ts';
import { Page } from '../kit/page.tsx';
import { Panel } from '../kit/panel.tsx';
import { RequestList } from '../requests/request-list.tsx';
import { BalanceTiles } from '../usage/balance-tiles.tsx';
import { FirstSteps } from './first-steps.tsx';

/** Where the account stands, and what to do first. */
export function HomePage() {
  const [result, reload] = useAnswer({ query: HomeDocument });
  const all = (
    <Link href="/requests" className="kit-link">
      All requests
    </Link>
  );
  return (
    <Page
      title="Home"
      actions={
        <Button component={Link} href="/playground">
          Read a document
        </Button>
      }
    >
      <Answer result={result} what="The account" rows={8} retry={reload}>
        {({ account, webhooks, requests }) => (
          <>
            <FirstSteps
              hasKey={account.keys.some(({ revokedAt }) => revokedAt === null)}
              hasRead={requests.nodes.length > 0}
              hasWebhook={webhooks.length > 0}
            />
            <BalanceTiles balance={account.balance} />
            <Panel title="Latest requests" actions={all} flush>
              {requests.nodes.length > 0 ? (
                <RequestList rows={requests.nodes} />
              ) : (
                <Empty title="Nothing was sent yet">Your requests will stand here, from the playground too.</Empty>
              )}
            </Panel>
          </>
        )}
      </Answer>
    </Page>
  );
}
