import { Button, Group, Popover, Stack } from '@mantine/core';
import { DateField } from '@ocr-router/ui/kit/date-field.tsx';
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
  const [isFromHalf, setFromHalf] = useState(false);
  const [isToHalf, setToHalf] = useState(false);
  const toggle = (): void => {
    setFrom(toField(filter.from));
    setTo(toField(filter.to));
    setFromHalf(false);
    setToHalf(false);
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
          Custom range
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBackwards && !isFromHalf && !isToHalf) apply();
          }}
        >
          <Stack gap="xs">
            <DateField to="minute" label="Accepted from" value={from} onChange={setFrom} onHalf={setFromHalf} />
            <DateField
              to="minute"
              label="Accepted before"
              error={isBackwards ? 'The end must be after the beginning.' : undefined}
              value={to}
              onChange={setTo}
              onHalf={setToHalf}
            />
            <Group justify="flex-end">
              <Button type="submit" disabled={isBackwards}>
                Apply
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
