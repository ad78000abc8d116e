import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useState } from 'react';
import { WebhooksDocument } from '../documents.generated.ts';
import { Page } from '../kit/page.tsx';
import pageHeads from '../kit/page-heads.json';
import { Panel } from '../kit/panel.tsx';
import { AccountDeliveries } from './account-deliveries.tsx';
import { AccountSecret } from './account-secret.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { SignatureCheck } from './signature-check.tsx';
import { WebhookTable } from './webhook-table.tsx';

const MOST = 10;

/** Where results are sent when they are there, and how that went. */
export default function WebhooksPage() {
  const answer = useQuery(WebhooksDocument, {});
  const [isMaking, { open, close }] = useDisclosure(false);
  const [isChecking, setChecking] = useState(false);
  const check = (
    <Button variant="default" aria-expanded={isChecking} onClick={() => setChecking(!isChecking)}>
      {isChecking ? 'Close' : 'Check'}
    </Button>
  );
  const isFull = (answer.data?.webhooks.length ?? 0) >= MOST;
  const add = (
    <Button onClick={open} disabled={isFull} title={isFull ? `An account has ${MOST} at most.` : undefined}>
      New webhook
    </Button>
  );
  return (
    <Page {...pageHeads['/webhooks']} actions={add}>
      <Answer answer={answer} subject="The webhooks" spaced>
        {({ webhooks, account }) => (
          <>
            <Panel title={`${webhooks.length} of ${MOST} webhooks`} flush>
              {webhooks.length === 0 ? (
                <Empty title="No webhooks yet" action={<Button onClick={open}>Register a URL</Button>}>
                  You will get its signing secret once, and can send it a test right away.
                </Empty>
              ) : (
                <WebhookTable webhooks={webhooks} onChanged={answer.refetch} />
              )}
            </Panel>
            <AccountSecret secret={account.signingSecret} />
          </>
        )}
      </Answer>
      <Panel title="Check a signature" actions={check}>
        {isChecking ? (
          <SignatureCheck />
        ) : (
          <p className="kit-soft" style={{ margin: 0 }}>
            Your receiver rejects a call? Paste what it received, and see what was signed.
          </p>
        )}
      </Panel>
      <AccountDeliveries />
      <NewWebhook opened={isMaking} onClose={close} onMade={answer.refetch} />
    </Page>
  );
}
