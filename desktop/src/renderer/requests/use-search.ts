import { useCallback } from 'react';
import { useClient } from 'urql';
import { useSearch as useAddress, useLocation } from 'wouter';
import { FilterAccountsDocument, FilterEnginesDocument } from '../../documents.generated.ts';
import { readFilter, writeFilter } from './request-filter.ts';
import { SHORTEST_TEXT, searchMeaning } from './search-meaning.ts';

/** Narrows the list by a text, in the address; answers why it cannot, null when it does. */
export function useSearch(): (text: string) => Promise<string | null> {
  const client = useClient();
  const [path, navigate] = useLocation();
  const address = useAddress();
  return useCallback(
    async (text) => {
      const engines = await client.query(FilterEnginesDocument, {}).toPromise();
      const meaning = searchMeaning(text, engines.data?.engines.map(({ id }) => id) ?? []);
      if (meaning === null) return null;
      if ('text' in meaning && (meaning.text?.length ?? 0) < SHORTEST_TEXT) return 'Type three characters or more.';
      const narrow = (part: object): null => {
        navigate(`${path}?${writeFilter(address, { ...readFilter(address), ...part })}`, { replace: true });
        return null;
      };
      if (!('accountLike' in meaning)) return narrow(meaning);
      const { data, error } = await client.query(FilterAccountsDocument, { search: meaning.accountLike }).toPromise();
      if (error) return 'The accounts could not be searched.';
      const [account] = data?.accounts.nodes ?? [];
      return account ? narrow({ account: account.id, key: null }) : 'No account has this in its address.';
    },
    [client, path, navigate, address],
  );
}
