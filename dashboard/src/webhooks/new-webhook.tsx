import { Button } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type FormEvent, useState } from 'react';
import { CreateWebhookDocument } from '../documents.generated.ts';
import { Dialog } from '../kit/dialog.tsx';
import { ShownSecret } from './shown-secret.tsx';
import { eventsOf } from './webhook-events.ts';
import { type WebhookDraft, WebhookFields } from './webhook-fields.tsx';

const EMPTY: WebhookDraft = { url: '', label: '', wanted: 'everything' };

interface NewWebhookProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onMade: () => void;
}

/** Registers a URL, and shows its secret this once. */
export function NewWebhook({ opened, onClose, onMade }: NewWebhookProps) {
  const [draft, setDraft] = useState(EMPTY);
  const [secret, setSecret] = useState<string | null>(null);
  const { run, running, failure, forget } = useMutation(CreateWebhookDocument);

  const close = (): void => {
    setDraft(EMPTY);
    setSecret(null);
    forget();
    onClose();
  };
  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const { url, label, wanted } = draft;
    const made = await run({ url: url.trim(), label: label.trim() || null, events: eventsOf(wanted) });
    if (!made) return;
    setSecret(made.createWebhook.secret);
    onMade();
  };

  if (secret !== null) return <ShownSecret title="The webhook’s secret" secret={secret} onClose={close} />;
  const buttons = (
    <>
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      <Button type="submit" form="new-webhook" loading={running}>
        Register
      </Button>
    </>
  );
  return (
    <Dialog title="New webhook" opened={opened} onClose={close} failure={failure} buttons={buttons}>
      <form id="new-webhook" onSubmit={(event) => void make(event)} style={{ display: 'grid', gap: 14 }}>
        <WebhookFields draft={draft} onChange={setDraft} />
      </form>
    </Dialog>
  );
}
