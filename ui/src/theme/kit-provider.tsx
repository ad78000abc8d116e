import '@mantine/core/styles.css';
import './theme.css';
import { localStorageColorSchemeManager, type MantineColorScheme, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { cssNonce, shareCssNonce } from './css-nonce.ts';
import { mantineVariables } from './mantine-variables.ts';
import { theme } from './theme.ts';

interface KitProviderProps {
  readonly children: ReactNode;
  /** Where this face keeps the user's choice of light, dark or system. */
  readonly storageKey?: string;
  readonly defaultColorScheme?: MantineColorScheme;
}

/** The kit's theme around a face: dark, light or as the system has it, under a strict Content-Security-Policy. */
export function KitProvider({ children, storageKey = 'color-scheme', defaultColorScheme = 'auto' }: KitProviderProps) {
  shareCssNonce();
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme={defaultColorScheme}
      colorSchemeManager={localStorageColorSchemeManager({ key: storageKey })}
      getStyleNonce={cssNonce}
      cssVariablesResolver={mantineVariables}
    >
      {children}
    </MantineProvider>
  );
}
