import { Alert, Button } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import { useState } from 'react';
import { type DeliveryRowFragment, RedeliverWebhookDocument } from '../documents.generated.ts';
import { CodeBlock } from '../kit/code-block.tsx';
import classes from '../kit/kit.module.css';
import { sentHeaders, timestampOf } from './delivery-headers.ts';
import { readableBody } from './delivery-words.ts';
import { SignatureCheck } from './signature-check.tsx';

interface DeliveryDetailProps {
  readonly delivery: DeliveryRowFragment;
  readonly onChanged: () => void;
}

/** What was sent, why it failed, and another try. */
export function DeliveryDetail({ delivery, onChanged }: DeliveryDetailProps) {
  const { run, running, failure } = useMutation(RedeliverWebhookDocument);
  const [isChecking, setChecking] = useState(false);
  const again = async (): Promise<void> => {
    if (await run({ id: delivery.id })) onChanged();
  };
  return (
    <div className={classes['beside']}>
      <Facts
        facts={[
          ['Sent to', delivery.url || 'deleted with its request'],
          ...sentHeaders(delivery),
          ...(delivery.error ? [['Error', delivery.error] as const] : []),
        ]}
      />
      {delivery.body !== null ? (
        <>
          <CodeBlock label="The body that was sent" text={readableBody(delivery.body)} whole={delivery.body} />
          <p className="kit-soft" style={{ margin: 0 }}>
            Formatted for reading. “Copy” gives the exact bytes that were sent and signed.
          </p>
        </>
      ) : (
        <p className="kit-soft" style={{ margin: 0 }}>
          No body: nothing has been sent yet, or it was deleted with the texts.
        </p>
      )}
      {failure && (
        <Alert color="red" variant="light" role="alert">
          {failure}
        </Alert>
      )}
      {isChecking && (
        <SignatureCheck known={{ id: delivery.id, timestamp: timestampOf(delivery), body: delivery.body ?? '' }} />
      )}
      <div className={classes['buttons']}>
        {delivery.attempt > 0 && (
          <Button variant="default" aria-expanded={isChecking} onClick={() => setChecking(!isChecking)}>
            Check a signature
          </Button>
        )}
        <Button
          variant="default"
          loading={running}
          disabled={delivery.status === 'pending'}
          onClick={() => void again()}
        >
          Send again
        </Button>
      </div>
    </div>
  );
}
