import { money } from '@ocr-router/ui/format/money.ts';
import type { PaletteItem } from './palette-items.ts';

/** What the palette does that is no place: `scheme:dark`, `wall:on`. Everything else is an address. */
const PLAIN_ACTIONS: readonly PaletteItem[] = [
  { id: '/requests?order=slowest', group: 'Actions', label: 'Slowest requests', words: 'list', icon: 'requests' },
  {
    id: '/requests?status=failed',
    group: 'Actions',
    label: 'Requests that failed',
    words: 'list',
    icon: 'requests',
  },
  {
    id: '/requests?status=failed,rejected',
    group: 'Actions',
    label: 'Requests not read',
    words: 'rejected list',
    icon: 'requests',
  },
  { id: '/engines?view=compare', group: 'Actions', label: 'Compare engines', words: 'chart', icon: 'engines' },
  { id: '/accounts?owing=1', group: 'Actions', label: 'Accounts that owe', words: 'money', icon: 'accounts' },
  { id: '/accounts?do=create', group: 'Actions', label: 'Create an account', words: 'new', icon: 'accounts' },
  { id: '/alerts?do=rule', group: 'Actions', label: 'New alert rule', words: 'create', icon: 'alerts' },
  { id: 'scheme:dark', group: 'Actions', label: 'Dark theme', words: 'appearance', icon: 'dark' },
  { id: 'scheme:light', group: 'Actions', label: 'Light theme', words: 'appearance', icon: 'light' },
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

const ON_ACCOUNT = [
  ['credit', /^(?:add\s+)?credit\s+(?:to\s+)?(\S.*)$/i],
  ['revoke', /^revoke\s+(?:keys?\s+)?(?:of\s+)?(\S.*)$/i],
] as const;

export interface AccountAction {
  readonly verb: 'credit' | 'revoke';
  /** A part of the account's address. */
  readonly search: string;
}

/** What is to be done to which accounts, of a query such as `credit ada@` or `revoke ada@`; null for another one. */
export function accountAction(query: string): AccountAction | null {
  const found = ON_ACCOUNT.flatMap(([verb, words]) => {
    const search = words.exec(query.trim())?.[1];
    return search === undefined ? [] : [{ verb, search }];
  });
  return found[0] ?? null;
}

interface Account {
  readonly id: string;
  readonly email: string;
  readonly balance: { readonly available: number };
  readonly keys?: ReadonlyArray<{
    readonly id: string;
    readonly label: string | null;
    readonly prefix: string;
    readonly revokedAt: string | null;
  }>;
}

/** An account as a place, or what can be done to it: each opens its question. */
export function accountItems({ id, email, balance, keys }: Account, verb: AccountAction['verb'] | null): PaletteItem[] {
  const address = `/accounts?account=${id}`;
  const words = `${money(balance.available)} available`;
  if (verb === null) return [{ id: address, group: 'Accounts', label: email, words }];
  if (verb === 'credit') {
    return [{ id: `${address}&do=credit`, group: 'Actions', label: `Add credit to ${email}`, words }];
  }
  return (keys ?? [])
    .filter(({ revokedAt }) => revokedAt === null)
    .map((key) => ({
      id: `${address}&do=revoke-${key.id}`,
      group: 'Actions',
      label: `Revoke ${key.label ?? `${key.prefix}…`} of ${email}`,
      words: `${key.prefix}…`,
    }));
}
