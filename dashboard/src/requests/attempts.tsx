import { Table } from '@mantine/core';
import { duration } from '@ocr-router/ui/format/duration.ts';
import { ENGINE_TIME } from '@ocr-router/ui/requests/engine-time.ts';
import type { RequestQuery } from '../documents.generated.ts';
import { Panel } from '../kit/panel.tsx';
import { WideTable } from '../kit/wide-table.tsx';

/** The runs on engines. What they cost at their providers is the operator's; the charge stands above. */
export function Attempts({ attempts }: { readonly attempts: RequestQuery['request']['attempts'] }) {
  if (attempts.length === 0) return null;
  return (
    <Panel title="Attempts" flush>
      <WideTable label="Attempts" minWidthPx={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>#</Table.Th>
            <Table.Th>Engine</Table.Th>
            <Table.Th>Ended</Table.Th>
            <Table.Th ta="right">Pages</Table.Th>
            <Table.Th ta="right" title={ENGINE_TIME.hint}>
              {ENGINE_TIME.header}
            </Table.Th>
            <Table.Th>Message</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attempts.map((attempt) => (
            <Table.Tr key={attempt.id}>
              <Table.Td>{attempt.number}</Table.Td>
              <Table.Td title={attempt.modelVersion ?? undefined}>{attempt.engine}</Table.Td>
              <Table.Td>{attempt.outcome ?? 'running'}</Table.Td>
              <Table.Td ta="right">{attempt.pages ?? '–'}</Table.Td>
              <Table.Td ta="right">{duration(attempt.providerLatencyMs)}</Table.Td>
              <Table.Td data-wraps>{attempt.message ?? ''}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Panel>
  );
}
