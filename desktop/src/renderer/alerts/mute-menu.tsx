import { Button, Menu, Tooltip } from '@mantine/core';
import { shortTime } from '@ocr-router/ui/format/time.ts';
import type { AlertActions } from './use-alert-actions.ts';

interface MuteMenuProps {
  /** One rule; null for all of them. */
  readonly id: string | null;
  readonly mutedUntil: string | null;
  readonly label: string;
  readonly actions: Pick<AlertActions, 'mute'>;
}

const SPANS = [
  { words: 'For an hour', minutes: 60 },
  { words: 'For 8 hours', minutes: 480 },
  { words: 'For a day', minutes: 1440 },
  { words: 'For a week', minutes: 10_080 },
];

/** Silences a rule, or all of them, for a while; or ends that. */
export function MuteMenu({ id, mutedUntil, label, actions }: MuteMenuProps) {
  const mute = (minutes: number): void => void actions.mute(id, minutes);
  if (isMuted(mutedUntil)) {
    return (
      <Tooltip label={`Muted until ${shortTime(mutedUntil)}`}>
        <Button variant="default" onClick={() => mute(0)}>
          Unmute
        </Button>
      </Tooltip>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">{label}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {SPANS.map(({ words, minutes }) => (
          <Menu.Item key={minutes} onClick={() => mute(minutes)}>
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Whether a mute still lasts. */
export function isMuted(mutedUntil: string | null): mutedUntil is string {
  return mutedUntil !== null && Date.parse(mutedUntil) > Date.now();
}
