import { Table } from '@mantine/core';
import { count } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { Empty } from '@ocr-router/ui/states/empty.tsx';
import type { UsageFiguresFragment } from '../documents.generated.ts';
import { Panel } from '../kit/panel.tsx';
import { WideTable } from '../kit/wide-table.tsx';
import { NOT_READ, NOT_READ_CHARGED } from './usage-words.ts';

interface UsageTableProps {
  readonly title: string;
  readonly first: string;
  readonly slices: readonly UsageFiguresFragment[];
}

/** The same days by something else: what used the most stands first. */
export function UsageTable({ title, first, slices }: UsageTableProps) {
  return (
    <Panel title={title} flush>
      {slices.length === 0 ? (
        <Empty title="Nothing in these days" />
      ) : (
        <WideTable label={title} minWidthPx={600}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{first}</Table.Th>
              <Table.Th ta="right">Charged</Table.Th>
              <Table.Th ta="right">Requests</Table.Th>
              <Table.Th ta="right">Pages</Table.Th>
              <Table.Th ta="right">{NOT_READ}</Table.Th>
              <Table.Th ta="right">{NOT_READ_CHARGED}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {slices.map((slice) => (
              <Table.Tr key={slice.of}>
                <Table.Td data-wraps>{nameOf(slice)}</Table.Td>
                <Table.Td ta="right">{money(slice.cost)}</Table.Td>
                <Table.Td ta="right">{count(slice.requests)}</Table.Td>
                <Table.Td ta="right">{count(slice.pages)}</Table.Td>
                <Table.Td ta="right">{count(slice.failed)}</Table.Td>
                <Table.Td ta="right">{money(slice.chargedOnFailures)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
      )}
    </Panel>
  );
}

function nameOf({ of, label }: UsageFiguresFragment): string {
  return of.startsWith('login:') ? 'playground' : (label ?? of);
}
