import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';

const CHOICES: { value: MantineColorScheme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

/** Light, dark, or as the system has it. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Colours"
      fullWidth
      data={CHOICES}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as MantineColorScheme)} // one of the three
    />
  );
}
