import { withClient } from '../../house/with-client.ts';
import type { Attack } from '../attack.ts';
import { persist } from '../persist.ts';
import { storePages } from '../stored-requests.ts';
import { onceFor } from './once-for.ts';

const CHARACTERS = 2_000_000;

const stored = onceFor(async ({ databaseUrl, funded }) => {
  const store = (unit: string) =>
    withClient(databaseUrl, (client) =>
      storePages(client, funded.accountId, { pages: 1, characters: CHARACTERS, unit }),
    );
  return { asterisks: await store('*\n'), pipes: await store('|\n') };
});

/** Each line is looked at by every rule of Markdown: for the plain text of an answer, and for its tables. */
export const markedTexts: Attack = {
  name: 'eight callers of a text of a million marks, and of its tables',
  finding: 'S6',
  prepare: stored,
  run: async (target, signal) => {
    const { asterisks, pipes } = await stored(target);
    const ask = (path: string) =>
      persist(signal, { width: 4, pauseMs: 0 }, () => target.funded.caller.call('GET', path, { signal }));
    await Promise.all([ask(`/v1/ocr/${asterisks}`), ask(`/v1/ocr/${pipes}/pages?include=tables`)]);
  },
};
