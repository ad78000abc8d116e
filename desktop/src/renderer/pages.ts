import { type FetchedPage, fetchedPage } from './fetched-page.tsx';
import type { IconName } from './kit/icon.tsx';
import { LONG_RANGE, type TimeRangeId } from './navigation/time-range.ts';

export interface Page {
  /** The route, as wouter matches it; `/engines/*?` stands for the page and all below it. */
  readonly path: string;
  /** Where the rail, the palette and the shortcut lead. */
  readonly home: string;
  readonly name: string;
  readonly icon: IconName;
  /** The key that leads here after `g`. */
  readonly shortcut: string;
  /** Whether what it shows is of the time range that is chosen above it. */
  readonly ranged: boolean;
  /** What it shows when no time range was chosen, where that is not what most show. */
  readonly usualRange?: TimeRangeId;
  /** Its tabs, by their names in the address, that show something else. */
  readonly unrangedTabs?: readonly string[];
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
    ranged: true,
    page: fetchedPage(() => import('./overview/overview-page.tsx')),
  },
  {
    path: '/engines/*?',
    home: '/engines',
    name: 'Engines',
    icon: 'engines',
    shortcut: 'e',
    ranged: true,
    unrangedTabs: ['uptime', 'settings'],
    page: fetchedPage(() => import('./engines/engines-page.tsx')),
  },
  {
    path: '/requests/*?',
    home: '/requests',
    name: 'Requests',
    icon: 'requests',
    shortcut: 'r',
    ranged: true,
    page: fetchedPage(() => import('./requests/requests-page.tsx')),
  },
  {
    path: '/queue',
    home: '/queue',
    name: 'Queue',
    icon: 'queue',
    shortcut: 'q',
    ranged: true,
    page: fetchedPage(() => import('./queue/queue-page.tsx')),
  },
  {
    path: '/webhooks',
    home: '/webhooks',
    name: 'Webhooks',
    icon: 'webhooks',
    shortcut: 'w',
    ranged: true,
    page: fetchedPage(() => import('./webhooks/webhooks-page.tsx')),
  },
  {
    path: '/accounts',
    home: '/accounts',
    name: 'Accounts',
    icon: 'accounts',
    shortcut: 'a',
    ranged: true,
    usualRange: LONG_RANGE,
    unrangedTabs: ['costs'],
    page: fetchedPage(() => import('./accounts/accounts-page.tsx')),
  },
  {
    path: '/alerts',
    home: '/alerts',
    name: 'Alerts',
    icon: 'alerts',
    shortcut: 'l',
    ranged: true,
    usualRange: LONG_RANGE,
    page: fetchedPage(() => import('./alerts/alerts-page.tsx')),
  },
  {
    path: '/settings',
    home: '/settings',
    name: 'Settings',
    icon: 'settings',
    shortcut: 's',
    ranged: false,
    page: fetchedPage(() => import('./settings/settings-page.tsx')),
  },
];

/** Whether the page at an address goes by the time range; on the others it is not to be seen. */
export function followsRange(path: string, search: string): boolean {
  const page = pageAt(path);
  if (!page?.ranged) return false;
  const tab = new URLSearchParams(search).get('tab');
  return tab === null || !page.unrangedTabs?.includes(tab);
}

/** What the page at an address shows when no time range was chosen. */
export function usualRange(path: string): TimeRangeId | undefined {
  return pageAt(path)?.usualRange;
}

/** What the page at an address is called, behind what is open on it. */
export function pageTitle(path: string, search: string): string {
  const page = pageAt(path);
  if (page === undefined) return 'No such page';
  const below = path.slice(page.home.length).replace(/^\//, '');
  const opened = new URLSearchParams(search).get('request') ?? decoded(below);
  return opened === '' ? page.name : `${opened} · ${page.name}`;
}

/** Empty where it is nothing that an address may have. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function pageAt(path: string): Page | undefined {
  return PAGES.find(({ home }) => path === home || (home !== '/' && path.startsWith(`${home}/`)));
}
