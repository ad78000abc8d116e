import { Table } from '@mantine/core';
import { columnMoney } from '@ocr-router/ui/format/money.ts';
import { fullTime, shortTime } from '@ocr-router/ui/format/time.ts';
import { Link } from 'wouter';
import type { LedgerLineFragment } from '../documents.generated.ts';
import { WideTable } from '../kit/wide-table.tsx';

const WORDS: Record<string, string> = {
  top_up: 'Top-up',
  charge: 'Pages read',
  provider_cost: 'Failed attempt, at cost',
  collected: 'Owed amount paid',
  adjustment: 'Correction',
  refund: 'Refund',
  written_off: 'Written off',
};

export function LedgerTable({ lines }: { readonly lines: readonly LedgerLineFragment[] }) {
  return (
    <WideTable label="Ledger" minWidthPx={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>When</Table.Th>
          <Table.Th>What</Table.Th>
          <Table.Th>Request</Table.Th>
          <Table.Th ta="right">Change</Table.Th>
          <Table.Th ta="right">Owed</Table.Th>
          <Table.Th ta="right">Balance after it</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.id}>
            <Table.Td title={fullTime(line.createdAt)}>{shortTime(line.createdAt)}</Table.Td>
            <Table.Td>{[WORDS[line.kind] ?? line.kind, line.reason].filter(Boolean).join(': ')}</Table.Td>
            <Table.Td ff="monospace" fz="xs">
              {line.requestId ? (
                <Link className="kit-link" href={`/requests/${line.requestId}`}>
                  {line.requestId}
                </Link>
              ) : (
                '–'
              )}
            </Table.Td>
            <Table.Td ta="right">{changeOf(line, 'wallet')}</Table.Td>
            <Table.Td ta="right">{changeOf(line, 'receivable')}</Table.Td>
            <Table.Td ta="right">{line.balanceAfter === null ? '–' : columnMoney(line.balanceAfter)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

/** What the line did to one side of the account: the debited side gives, the credited one receives. */
function changeOf({ debit, credit, amount }: LedgerLineFragment, side: 'wallet' | 'receivable'): string {
  const given = debit === side;
  const received = credit === side;
  if (!given && !received) return '';
  // What the account owes grows when the receivable gives, and shrinks when it receives.
  const grows = side === 'wallet' ? received : given;
  return `${grows ? '+' : '−'}${columnMoney(amount)}`;
}
