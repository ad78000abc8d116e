import './mantine.css';
import './theme.css';
import './other-media.css';
import {
  type CSSVariablesResolver,
  localStorageColorSchemeManager,
  type MantineColorScheme,
  MantineProvider,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { theme } from './theme.ts';

/** Mantine's own quiet texts are too faint to read: they get the kit's. */
const mantineVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-placeholder': '#5c6570', '--mantine-color-dimmed': '#56606f' },
  dark: {
    '--mantine-color-placeholder': '#98a2b3',
    '--mantine-color-dimmed': '#98a2b3',
    '--mantine-color-red-light-color': 'var(--status-down)', // Mantine's is white, and warns of nothing
  },
});

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

/** The nonce that a strict Content-Security-Policy asks of style elements; empty where there is none. */
function cssNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** Mantine's scroll lock makes a style element of its own and looks for the nonce under this global name. */
function shareCssNonce(): void {
  const nonce = cssNonce();
  if (nonce !== '') Object.assign(globalThis, { __webpack_nonce__: nonce });
}
