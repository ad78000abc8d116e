import { ActionIcon, type MantineColorScheme, Tooltip, useMantineColorScheme } from '@mantine/core';
import { Icon } from '../kit/icon.tsx';

const NEXT: Record<MantineColorScheme, MantineColorScheme> = { auto: 'light', light: 'dark', dark: 'auto' };
const WORDS: Record<MantineColorScheme, string> = { auto: 'as the system', light: 'light', dark: 'dark' };
const ICONS = { auto: 'system', light: 'light', dark: 'dark' } as const;

/** Light, dark, or as the system has it. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const words = `Appearance: ${WORDS[colorScheme]}`;
  return (
    <Tooltip label={words}>
      <ActionIcon size={30} aria-label={words} onClick={() => setColorScheme(NEXT[colorScheme])}>
        <Icon name={ICONS[colorScheme]} />
      </ActionIcon>
    </Tooltip>
  );
}
