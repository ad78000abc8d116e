import { Button, Table } from '@mantine/core';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { fullTime, shortTime } from '@ocr-router/ui/format/time.ts';
import { RequestStatus } from '@ocr-router/ui/status/request-status.tsx';
import { Fragment, useState } from 'react';
import { Link } from 'wouter';
import type { DeliveryRowFragment } from '../documents.generated.ts';
import { WideTable } from '../kit/wide-table.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { attemptText } from './delivery-words.ts';

interface DeliveryTableProps {
  readonly deliveries: readonly DeliveryRowFragment[];
  readonly onChanged: () => void;
}

/** Attempts to deliver, each with what was sent; one can be sent again. */
export function DeliveryTable({ deliveries, onChanged }: DeliveryTableProps) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <WideTable label="Deliveries" minWidthPx={820}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Event</Table.Th>
          <Table.Th>Request</Table.Th>
          <Table.Th ta="right">Attempt</Table.Th>
          <Table.Th ta="right">Answer</Table.Th>
          <Table.Th ta="right">Response time</Table.Th>
          <Table.Th>
            <span className="kit-visually-hidden">Details</span>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {deliveries.map((delivery) => {
          const key = attemptKey(delivery);
          return (
            <Fragment key={key}>
              <DeliveryLine
                delivery={delivery}
                isOpen={open === key}
                onToggle={() => setOpen(open === key ? null : key)}
              />
              {open === key && (
                <Table.Tr>
                  <Table.Td colSpan={8} data-wraps>
                    <DeliveryDetail delivery={delivery} onChanged={onChanged} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          );
        })}
      </Table.Tbody>
    </WideTable>
  );
}

/** A delivery has one entry an attempt, and may be sent again from attempt 1. */
function attemptKey({ id, round, attempt, createdAt }: DeliveryRowFragment): string {
  return `${id} ${round} ${attempt} ${createdAt}`;
}

interface DeliveryLineProps {
  readonly delivery: DeliveryRowFragment;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function DeliveryLine({ delivery, isOpen, onToggle }: DeliveryLineProps) {
  const { createdAt, status, event, requestId, responseCode, latencyMs } = delivery;
  return (
    <Table.Tr>
      <Table.Td title={fullTime(createdAt)}>{shortTime(createdAt)}</Table.Td>
      <Table.Td>
        <RequestStatus status={status} />
      </Table.Td>
      <Table.Td>{event}</Table.Td>
      <Table.Td ff="monospace" fz="xs">
        {requestId ? (
          <Link className="kit-link" href={`/requests/${requestId}`}>
            {requestId}
          </Link>
        ) : (
          '–'
        )}
      </Table.Td>
      <Table.Td ta="right">{attemptText(delivery)}</Table.Td>
      <Table.Td ta="right">{responseCode === null ? '–' : `HTTP ${responseCode}`}</Table.Td>
      <Table.Td ta="right">{duration(latencyMs)}</Table.Td>
      <Table.Td ta="right">
        <Button variant="default" size="compact-xs" onClick={onToggle} aria-expanded={isOpen}>
          {isOpen ? 'Less' : 'More'}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
