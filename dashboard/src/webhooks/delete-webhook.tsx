import { Button } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { DeleteWebhookDocument, type WebhookRowFragment } from '../documents.generated.ts';
import { Dialog } from '../kit/dialog.tsx';

interface DeleteWebhookProps {
  readonly webhook: WebhookRowFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before a registration and its log are gone. */
export function DeleteWebhook({ webhook, onClose, onDone }: DeleteWebhookProps) {
  const { run, running, failure } = useMutation(DeleteWebhookDocument);
  const remove = async (): Promise<void> => {
    if (await run({ id: webhook.id })) onDone();
  };
  const buttons = (
    <>
      <Button variant="default" onClick={onClose} data-autofocus>
        Keep it
      </Button>
      <Button color="red.9" loading={running} onClick={() => void remove()}>
        Delete for good
      </Button>
    </>
  );
  return (
    <Dialog title="Delete this webhook?" onClose={onClose} failure={failure} buttons={buttons}>
      <p>
        Its secret and its delivery log are deleted for good. Requests that name {webhook.url} are still announced
        there, signed with the account’s own secret. To stop deliveries, make it inactive instead.
      </p>
    </Dialog>
  );
}
