import type { AlertNotice } from '../shared/alerts.ts';
import type { AppInfo } from '../shared/channels.ts';
import type { FixedProfile } from './profiles/profile-store.ts';
import type { TokenVault } from './profiles/token-vault.ts';

/** What differs between Electron and the local web server. */
export interface Shell {
  readonly info: Pick<AppInfo, 'version' | 'shell'>;
  /** Where profiles are kept. */
  readonly folder: string;
  readonly vault: TokenVault;
  readonly fixedProfile: FixedProfile | null;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** Opens an address that has been checked. */
  readonly openExternal: (url: string) => Promise<void>;
  readonly writeClipboard: (text: string) => void;
  /** Sets the size of the page in per cent; null where the page's own browser does that. */
  readonly zoom: ((percent: number) => void) | null;
  /** A native notification, where there are such. */
  readonly notify: (notice: AlertNotice) => void;
}
