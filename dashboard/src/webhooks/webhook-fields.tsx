import { Radio, TextInput } from '@mantine/core';
import type { Wanted } from './webhook-events.ts';

export interface WebhookDraft {
  readonly url: string;
  readonly label: string;
  readonly wanted: Wanted;
}

interface WebhookFieldsProps {
  readonly draft: WebhookDraft;
  readonly onChange: (draft: WebhookDraft) => void;
}

/** What a registration says. */
export function WebhookFields({ draft, onChange }: WebhookFieldsProps) {
  return (
    <>
      <TextInput
        label="URL"
        type="url"
        placeholder="https://example.com/hooks/ocr"
        description="Public http or https. Requests name the same URL as their webhook_url."
        required
        value={draft.url}
        onChange={(event) => onChange({ ...draft, url: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label="Name"
        maxLength={200}
        value={draft.label}
        onChange={(event) => onChange({ ...draft, label: event.currentTarget.value })}
      />
      <Radio.Group
        label="Receives"
        value={draft.wanted}
        onChange={(wanted) => onChange({ ...draft, wanted: wanted as Wanted })} // one of the two below
      >
        <div style={{ display: 'grid', gap: 8, marginTop: 6 }}>
          <Radio size="xs" value="everything" label="Every result" description="ocr.completed" />
          <Radio size="xs" value="failures" label="Failures only" description="ocr.failed" />
        </div>
      </Radio.Group>
    </>
  );
}
