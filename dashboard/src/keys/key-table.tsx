import { Button, Group, Table } from '@mantine/core';
import { age } from '@ocr-router/ui/format/age.ts';
import { count } from '@ocr-router/ui/format/count.ts';
import { money } from '@ocr-router/ui/format/money.ts';
import { fullTime } from '@ocr-router/ui/format/time.ts';
import { useState } from 'react';
import type { KeyRowFragment } from '../documents.generated.ts';
import { WideTable } from '../kit/wide-table.tsx';
import { LimitKey } from './limit-key.tsx';
import { LimitLeft } from './limit-left.tsx';
import { RenameKey } from './rename-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

interface KeyTableProps {
  readonly keys: readonly KeyRowFragment[];
  readonly onChanged: () => void;
}

/** What is going to happen to which key. */
interface Plan {
  readonly verb: 'rename' | 'limit' | 'revoke';
  readonly key: KeyRowFragment;
}

export function KeyTable({ keys, onChanged }: KeyTableProps) {
  const [plan, setPlan] = useState<Plan | null>(null);
  const end = () => setPlan(null);
  const done = () => {
    end();
    onChanged();
  };
  return (
    <>
      <WideTable label="Keys">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Scopes</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th ta="right">Requests, 30 days</Table.Th>
            <Table.Th ta="right">Charged, 30 days</Table.Th>
            <Table.Th>Spending limit</Table.Th>
            <Table.Th>
              <span className="kit-visually-hidden">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} value={key} onPlan={(verb) => setPlan({ verb, key })} />
          ))}
        </Table.Tbody>
      </WideTable>
      {plan?.verb === 'rename' && <RenameKey value={plan.key} onClose={end} onDone={done} />}
      {plan?.verb === 'limit' && <LimitKey value={plan.key} onClose={end} onDone={done} />}
      {plan?.verb === 'revoke' && <RevokeKey value={plan.key} onClose={end} onDone={done} />}
    </>
  );
}

interface KeyRowProps {
  readonly value: KeyRowFragment;
  readonly onPlan: (verb: Plan['verb']) => void;
}

function KeyRow({ value: key, onPlan }: KeyRowProps) {
  const name = key.label ?? 'without a name';
  return (
    <Table.Tr>
      <Table.Td data-wraps className={key.label === null ? 'kit-soft' : undefined}>
        {name}
        <div className="kit-soft" style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>
          {key.prefix}…
        </div>
      </Table.Td>
      <Table.Td>
        {key.scopes.map((scope) => (
          <div key={scope}>{scope}</div>
        ))}
      </Table.Td>
      <Table.Td title={fullTime(key.createdAt)}>{age(key.createdAt)}</Table.Td>
      <Table.Td title={key.lastUsedAt ? fullTime(key.lastUsedAt) : undefined}>{age(key.lastUsedAt)}</Table.Td>
      <Table.Td ta="right">{count(key.usage30Days.requests)}</Table.Td>
      <Table.Td ta="right">{money(key.usage30Days.spent)}</Table.Td>
      <Table.Td>
        <LimitLeft budget={key.budget} />
      </Table.Td>
      <Table.Td>
        {key.revokedAt === null ? (
          <Group gap={6} wrap="nowrap" justify="flex-end">
            <Button variant="default" size="compact-xs" onClick={() => onPlan('rename')} aria-label={`Rename ${name}`}>
              Rename
            </Button>
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => onPlan('limit')}
              aria-label={`Spending limit of ${name}`}
            >
              Limit
            </Button>
            <Button
              variant="light"
              color="red"
              size="compact-xs"
              onClick={() => onPlan('revoke')}
              aria-label={`Revoke ${name}`}
            >
              Revoke
            </Button>
          </Group>
        ) : (
          <span className="kit-soft">revoked {age(key.revokedAt)}</span>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
