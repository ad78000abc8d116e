import { fullTime } from '@ocr-router/ui/format/time.ts';
import { Facts } from '@ocr-router/ui/kit/facts.tsx';
import type { WebhookRowFragment } from '../documents.generated.ts';
import { eventsText } from './webhook-events.ts';
import { ActiveSwitch } from './webhook-table.tsx';

interface WebhookFactsProps {
  readonly webhook: WebhookRowFragment;
  readonly onChanged: () => void;
}

export function WebhookFacts({ webhook, onChanged }: WebhookFactsProps) {
  const { id, url, events, createdAt, previousSecretUntil } = webhook;
  const secrets =
    previousSecretUntil === null
      ? 'One secret signs.'
      : `The former secret signs, too, until ${fullTime(previousSecretUntil)}.`;
  return (
    <Facts
      facts={[
        ['URL', url],
        ['Receives', eventsText(events)],
        ['Active', <ActiveSwitch key="active" webhook={webhook} onChanged={onChanged} />],
        ['Secret', secrets],
        ['Registered', fullTime(createdAt)],
        ['Id', <code key="id">{id}</code>],
      ]}
    />
  );
}
