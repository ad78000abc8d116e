import { Button } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type FormEvent, useState } from 'react';
import { UpdateWebhookDocument, type WebhookRowFragment } from '../documents.generated.ts';
import { Dialog } from '../kit/dialog.tsx';
import { eventsOf, wantedOf } from './webhook-events.ts';
import { type WebhookDraft, WebhookFields } from './webhook-fields.tsx';

interface EditWebhookProps {
  readonly webhook: WebhookRowFragment;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function EditWebhook({ webhook, onClose, onDone }: EditWebhookProps) {
  const { id, url, label, events } = webhook;
  const [draft, setDraft] = useState<WebhookDraft>({ url, label: label ?? '', wanted: wantedOf(events) });
  const { run, running, failure } = useMutation(UpdateWebhookDocument);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const changed = { id, url: draft.url.trim(), label: draft.label.trim(), events: eventsOf(draft.wanted) };
    if (!(await run(changed))) return;
    onDone();
    onClose();
  };
  const buttons = (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form="edit-webhook" loading={running}>
        Save
      </Button>
    </>
  );
  return (
    <Dialog title="Edit the webhook" onClose={onClose} failure={failure} buttons={buttons}>
      <form id="edit-webhook" onSubmit={(event) => void save(event)} style={{ display: 'grid', gap: 14 }}>
        <WebhookFields draft={draft} onChange={setDraft} />
      </form>
    </Dialog>
  );
}
