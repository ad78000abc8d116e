import type { PaletteItem } from './palette-items.ts';

/** What the palette does that is no place: `scheme:dark`, `wall:on`. Everything else is an address. */
const PLAIN_ACTIONS: readonly PaletteItem[] = [
  { id: '/requests?order=slowest', group: 'Actions', label: 'Slowest requests', words: 'list', icon: 'requests' },
  {
    id: '/requests?status=failed,rejected',
    group: 'Actions',
    label: 'Failed requests',
    words: 'list',
    icon: 'requests',
  },
  { id: '/engines?view=compare', group: 'Actions', label: 'Compare engines', words: 'chart', icon: 'engines' },
  { id: '/accounts?owing=1', group: 'Actions', label: 'Accounts that owe', words: 'money', icon: 'accounts' },
  { id: '/accounts?do=create', group: 'Actions', label: 'Create an account', words: 'new', icon: 'accounts' },
  { id: '/alerts?do=rule', group: 'Actions', label: 'New alert rule', words: 'create', icon: 'alerts' },
  { id: 'scheme:dark', group: 'Actions', label: 'Dark appearance', words: 'theme', icon: 'dark' },
  { id: 'scheme:light', group: 'Actions', label: 'Light appearance', words: 'theme', icon: 'light' },
  { id: 'wall:toggle', group: 'Actions', label: 'Wall mode', words: 'f', icon: 'table' },
];

interface Engine {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** Everything that can be done by name. What changes the gateway opens its question, and does nothing by itself. */
export function paletteActions(engines: readonly Engine[]): readonly PaletteItem[] {
  return [
    ...engines.flatMap(({ id, name, enabled }): PaletteItem[] => {
      const address = `/engines/${encodeURIComponent(id)}?tab=settings`;
      return [
        { id: `${address}&do=switch`, group: 'Actions', label: `${enabled ? 'Disable' : 'Enable'} ${name}`, words: id },
        { id: `${address}&do=probe`, group: 'Actions', label: `Probe ${name} now`, words: id },
      ];
    }),
    ...PLAIN_ACTIONS,
  ];
}

const CREDIT = /^(?:add\s+)?credit\s+(?:to\s+)?(\S.*)$/i;

/** Whose account is to get credit, of a query such as `credit ada@`; null for another one. */
export function creditSearch(query: string): string | null {
  return CREDIT.exec(query.trim())?.[1] ?? null;
}
