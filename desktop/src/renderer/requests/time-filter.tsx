import { Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fromField, toField } from './local-time.ts';
import type { RequestFilter } from './request-filter.ts';

interface TimeFilterProps {
  readonly filter: RequestFilter;
  readonly onChange: (part: Pick<RequestFilter, 'from' | 'to' | 'anyTime'>) => void;
}

/** Between which times requests were accepted, instead of the time range. */
export function TimeFilter({ filter, onChange }: TimeFilterProps) {
  const [opened, setOpened] = useState(false);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const toggle = (): void => {
    setFrom(toField(filter.from));
    setTo(toField(filter.to));
    setOpened(!opened);
  };
  const [start, end] = [fromField(from), fromField(to)];
  const isBackwards = start !== null && end !== null && start >= end;
  const apply = (): void => {
    onChange({ from: start, to: end, anyTime: false });
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" onClick={toggle}>
          Between
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBackwards) apply();
          }}
        >
          <Stack gap="xs">
            <TextInput
              type="datetime-local"
              label="Accepted from"
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <TextInput
              type="datetime-local"
              label="Accepted before"
              error={isBackwards ? 'This is before the other one.' : undefined}
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button type="submit" disabled={isBackwards}>
                Show these
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
