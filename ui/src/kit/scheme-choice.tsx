import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';

interface SchemeChoiceProps {
  readonly label: string;
  readonly choices: { readonly value: MantineColorScheme; readonly label: string }[];
  readonly fullWidth?: boolean;
}

/** Light, dark, or as the system has it. */
export function SchemeChoice({ label, choices, fullWidth = false }: SchemeChoiceProps) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label={label}
      fullWidth={fullWidth}
      data={choices}
      value={colorScheme}
      onChange={setColorScheme}
    />
  );
}
