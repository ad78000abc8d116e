import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { DeleteWebhookDocument, type WebhookRowFragment } from '../documents.generated.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';

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
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      keep="Keep it"
      act="Delete for good"
      acting={running}
      onAct={() => void remove()}
      onClose={onClose}
      failure={failure}
    >
      <p>
        Its secret and its delivery log are deleted for good. Requests that name {webhook.url} still call it, signed
        with the account’s own secret. To stop deliveries, make it inactive instead.
      </p>
    </ConfirmDialog>
  );
}
