import type { CSSVariablesResolver } from '@mantine/core';

/** Mantine's own quiet texts are too faint to read: they get the kit's. */
export const mantineVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-placeholder': '#5c6570', '--mantine-color-dimmed': '#56606f' },
  dark: { '--mantine-color-placeholder': '#98a2b3', '--mantine-color-dimmed': '#98a2b3' },
});
