import { Button } from '@mantine/core';
import { Answer } from '@ocr-router/ui/graphql/answer.tsx';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { useWhilePending } from '@ocr-router/ui/webhooks/use-while-pending.ts';
import { WebhookDeliveriesDocument } from '../documents.generated.ts';
import { Panel } from '../kit/panel.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { deliveriesTitle } from './delivery-words.ts';

/** The latest attempts to deliver: to one registration, or of the whole account. */
export function AccountDeliveries({ webhookId = null }: { readonly webhookId?: string | null }) {
  const answer = useQuery(WebhookDeliveriesDocument, { id: webhookId });
  useWhilePending(answer.data?.webhookDeliveries ?? [], answer.refetch);
  const refresh = (
    <Button variant="default" onClick={answer.refetch}>
      Refresh
    </Button>
  );
  return (
    <Panel title={deliveriesTitle(answer.data?.webhookDeliveries.length)} actions={refresh} flush>
      <Answer answer={answer} subject="The deliveries" spaced>
        {({ webhookDeliveries }) =>
          webhookDeliveries.length === 0 ? (
            <Empty title="Nothing has been delivered yet">Send a test, or an async request with a webhook_url.</Empty>
          ) : (
            <DeliveryTable deliveries={webhookDeliveries} onChanged={answer.refetch} />
          )
        }
      </Answer>
    </Panel>
  );
}
