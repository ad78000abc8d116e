import { Button } from '@mantine/core';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import { WebhookDeliveriesDocument } from '../documents.generated.ts';
import { Answer } from '../graphql/answer.tsx';
import { useAnswer } from '../graphql/use-answer.ts';
import { Panel } from '../kit/panel.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { useWhilePending } from './use-while-pending.ts';

/** The latest attempts to deliver: to one registration, or of the whole account. */
export function AccountDeliveries({ webhookId = null }: { readonly webhookId?: string | null }) {
  const [result, reload] = useAnswer({ query: WebhookDeliveriesDocument, variables: { id: webhookId } });
  useWhilePending(result.data?.webhookDeliveries ?? [], reload);
  const refresh = (
    <Button variant="default" onClick={reload}>
      Refresh
    </Button>
  );
  return (
    <Panel title="Deliveries" actions={refresh} flush>
      <Answer result={result} what="The deliveries" retry={reload}>
        {({ webhookDeliveries }) =>
          webhookDeliveries.length === 0 ? (
            <Empty title="Nothing was delivered yet">Send a test, or an async request with a webhook_url.</Empty>
          ) : (
            <DeliveryTable deliveries={webhookDeliveries} onChanged={reload} />
          )
        }
      </Answer>
    </Panel>
  );
}
