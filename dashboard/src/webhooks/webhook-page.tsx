import { Button } from '@mantine/core';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type WebhookRowFragment, WebhooksDocument } from '../documents.generated.ts';
import { Page } from '../kit/page.tsx';
import { Panel } from '../kit/panel.tsx';
import { AccountDeliveries } from './account-deliveries.tsx';
import { DeleteWebhook } from './delete-webhook.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { TestButton } from './test-button.tsx';
import { WebhookFacts } from './webhook-facts.tsx';

/** One registration: what it says, its secret, and its log. */
export default function WebhookPage({ id }: { readonly id: string }) {
  const answer = useQuery(WebhooksDocument, {});
  const webhook = answer.data?.webhooks.find((each) => each.id === id);
  return (
    <Page
      title={webhook?.label ?? 'Webhook'}
      actions={
        <Button component={Link} href="/webhooks" variant="default">
          All webhooks
        </Button>
      }
    >
      <Answer answer={answer} subject="The webhook" spaced>
        {() =>
          webhook ? (
            <WebhookParts key={webhook.id} webhook={webhook} onChanged={answer.refetch} />
          ) : (
            <Empty title="Your account has no such webhook">
              It may have been deleted, or belong to another account.
            </Empty>
          )
        }
      </Answer>
    </Page>
  );
}

interface WebhookPartsProps {
  readonly webhook: WebhookRowFragment;
  readonly onChanged: () => void;
}

type Plan = 'edit' | 'rotate' | 'delete';

function WebhookParts({ webhook, onChanged }: WebhookPartsProps) {
  const [plan, setPlan] = useState<Plan | null>(null);
  const [tests, setTests] = useState(0);
  const [, go] = useLocation();
  const end = () => setPlan(null);
  const actions = (
    <>
      <TestButton id={webhook.id} onSent={() => setTests(tests + 1)} />
      <Button variant="default" onClick={() => setPlan('edit')}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setPlan('rotate')}>
        New secret
      </Button>
      <Button variant="light" color="red" onClick={() => setPlan('delete')}>
        Delete
      </Button>
    </>
  );
  return (
    <>
      <Panel title="Registration" actions={actions}>
        <WebhookFacts webhook={webhook} onChanged={onChanged} />
      </Panel>
      <AccountDeliveries key={tests} webhookId={webhook.id} />
      {plan === 'edit' && <EditWebhook webhook={webhook} onClose={end} onDone={onChanged} />}
      {plan === 'rotate' && <RotateSecret webhook={webhook} onClose={end} onDone={onChanged} />}
      {plan === 'delete' && <DeleteWebhook webhook={webhook} onClose={end} onDone={() => go('/webhooks')} />}
    </>
  );
}
