import { type FetchedPage, fetchedPage } from './fetched-page.tsx';
import type { IconName } from './kit/icon.tsx';

export interface Page {
  /** The route, as wouter matches it; `/engines/*?` stands for the page and all below it. */
  readonly path: string;
  /** Where the rail, the palette and the shortcut lead. */
  readonly home: string;
  readonly name: string;
  readonly icon: IconName;
  /** The key that leads here after `g`. */
  readonly shortcut: string;
  readonly page: FetchedPage;
}

/** The pages of the console in the order of the rail. A new page is a line here. */
export const PAGES: readonly Page[] = [
  {
    path: '/',
    home: '/',
    name: 'Overview',
    icon: 'overview',
    shortcut: 'o',
    page: fetchedPage(() => import('./overview/overview-page.tsx')),
  },
  {
    path: '/engines/*?',
    home: '/engines',
    name: 'Engines',
    icon: 'engines',
    shortcut: 'e',
    page: fetchedPage(() => import('./engines/engines-page.tsx')),
  },
  {
    path: '/jobs/*?',
    home: '/jobs',
    name: 'Jobs',
    icon: 'requests',
    shortcut: 'j',
    page: fetchedPage(() => import('./requests/requests-page.tsx')),
  },
  {
    path: '/queue',
    home: '/queue',
    name: 'Queue',
    icon: 'queue',
    shortcut: 'q',
    page: fetchedPage(() => import('./queue/queue-page.tsx')),
  },
  {
    path: '/accounts',
    home: '/accounts',
    name: 'Accounts',
    icon: 'accounts',
    shortcut: 'a',
    page: fetchedPage(() => import('./accounts/accounts-page.tsx')),
  },
  {
    path: '/alerts',
    home: '/alerts',
    name: 'Alerts',
    icon: 'alerts',
    shortcut: 'l',
    page: fetchedPage(() => import('./alerts/alerts-page.tsx')),
  },
  {
    path: '/settings',
    home: '/settings',
    name: 'Settings',
    icon: 'settings',
    shortcut: 's',
    page: fetchedPage(() => import('./settings/settings-page.tsx')),
  },
];
