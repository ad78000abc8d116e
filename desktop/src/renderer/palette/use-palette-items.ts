import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@ocr-router/ui/graphql/use-query.ts';
import { pastedId } from '@ocr-router/ui/requests/pasted-id.ts';
import {
  PaletteAccountsDocument,
  PaletteEnginesDocument,
  PaletteRefusalDocument,
  type PaletteRefusalQuery,
} from '../../documents.generated.ts';
import { useProfiles } from '../bridge/profiles.tsx';
import { PAGES } from '../pages.ts';
import { accountAction, accountItems, paletteActions } from './palette-actions.ts';
import { findItems, type PaletteItem } from './palette-items.ts';

const PAGE_ITEMS: readonly PaletteItem[] = PAGES.map(({ home, name, icon, shortcut }) => ({
  id: home,
  group: 'Pages',
  icon,
  label: name,
  words: `g ${shortcut}`,
}));

/** What the query may mean: a request whose id is in it, and whatever bears its words. */
export function usePaletteItems(query: string): readonly PaletteItem[] {
  const { profiles, selected } = useProfiles();
  const [search] = useDebouncedValue(query.trim(), 150);
  const engines = useQuery(PaletteEnginesDocument, {}, { pause: selected === null });
  const action = accountAction(search);
  const accounts = useQuery(
    PaletteAccountsDocument,
    { search: action?.search ?? search, keys: action?.verb === 'revoke' },
    { pause: selected === null || search === '' },
  );
  const pasted = pastedId(query);
  const callId = pasted?.kind === 'call' ? pasted.id : null;
  const refusal = useQuery(
    PaletteRefusalDocument,
    { id: callId ?? '' },
    { pause: selected === null || callId === null },
  );
  if (pasted?.kind === 'request') {
    return [{ id: `/requests?request=${pasted.id}`, group: 'Request', label: 'Open the request', words: pasted.id }];
  }
  const refused = callId === null ? undefined : refusal.data?.refusedCall;
  if (refused) return [refusalItem(refused)];
  const items: readonly PaletteItem[] = [
    // Before anything is typed, places are enough.
    ...(query.trim() === '' ? [] : paletteActions(engines.data?.engines ?? [])),
    ...PAGE_ITEMS,
    ...(engines.data?.engines ?? []).map(
      ({ id, name, provider }): PaletteItem => ({
        id: `/engines/${encodeURIComponent(id)}`,
        group: 'Engines',
        label: name,
        words: name === id ? provider : `${id} · ${provider}`,
      }),
    ),
    ...profiles.map(
      ({ id, name, production }): PaletteItem => ({
        id,
        group: 'Gateways',
        label: name,
        words: [production && 'PROD', id === selected?.id && 'current'].filter(Boolean).join(' · '),
      }),
    ),
  ];
  const found = (search === '' ? [] : (accounts.data?.accounts.nodes ?? [])).flatMap((account) =>
    accountItems(account, action?.verb ?? null),
  );
  return [...findItems(items, query), ...found];
}

/** Why a call was refused, in its place; it leads to the rest. */
function refusalItem({ requestId, status, code, message }: PaletteRefusalQuery['refusedCall']): PaletteItem {
  return {
    id: `/requests?call=${requestId}`,
    group: 'Request',
    label: `Refused with ${status} ${code}`,
    words: message,
  };
}
