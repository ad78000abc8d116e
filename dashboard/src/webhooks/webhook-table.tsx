import { Switch, Table } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { age } from '@ocr-router/ui/format/age.ts';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { useMutation } from 'urql';
import { Link } from 'wouter';
import { UpdateWebhookDocument, type WebhookRowFragment } from '../documents.generated.ts';
import { WideTable } from '../kit/wide-table.tsx';
import { eventsText } from './webhook-events.ts';

interface WebhookTableProps {
  readonly webhooks: readonly WebhookRowFragment[];
  readonly onChanged: () => void;
}

export function WebhookTable({ webhooks, onChanged }: WebhookTableProps) {
  return (
    <WideTable label="Webhooks" minWidthPx={600}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>URL</Table.Th>
          <Table.Th>Name</Table.Th>
          <Table.Th>Receives</Table.Th>
          <Table.Th>Registered</Table.Th>
          <Table.Th>Active</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {webhooks.map((webhook) => (
          <Table.Tr key={webhook.id}>
            <Table.Td data-wraps>
              <Link href={`/webhooks/${webhook.id}`} className="kit-link">
                {webhook.url}
              </Link>
            </Table.Td>
            <Table.Td data-wraps>{webhook.label ?? <span className="kit-soft">–</span>}</Table.Td>
            <Table.Td>{eventsText(webhook.events)}</Table.Td>
            <Table.Td title={fullTime(webhook.createdAt)}>{age(webhook.createdAt)}</Table.Td>
            <Table.Td>
              <ActiveSwitch webhook={webhook} onChanged={onChanged} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

interface ActiveSwitchProps {
  readonly webhook: WebhookRowFragment;
  readonly onChanged: () => void;
}

/** Stops and starts the deliveries to a URL. */
export function ActiveSwitch({ webhook, onChanged }: ActiveSwitchProps) {
  const [{ fetching }, update] = useMutation(UpdateWebhookDocument);
  const set = async (isActive: boolean): Promise<void> => {
    const { error } = await update({ id: webhook.id, isActive });
    if (error) notifications.show({ color: 'red', message: failureText(error) });
    onChanged();
  };
  return (
    <Switch
      aria-label={`Deliver to ${webhook.url}`}
      checked={webhook.isActive}
      disabled={fetching}
      onChange={(event) => void set(event.currentTarget.checked)}
    />
  );
}
