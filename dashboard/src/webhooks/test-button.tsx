import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useMutation } from 'urql';
import { TestWebhookDocument } from '../documents.generated.ts';

/** Sends `webhook.test`; how it went stands in the log. */
export function TestButton({ id, onSent }: { readonly id: string; readonly onSent: () => void }) {
  const [{ fetching }, test] = useMutation(TestWebhookDocument);
  const send = async (): Promise<void> => {
    const { error } = await test({ id });
    if (error) notifications.show({ color: 'red', message: failureText(error) });
    else onSent();
  };
  return (
    <Button loading={fetching} onClick={() => void send()}>
      Send a test
    </Button>
  );
}
