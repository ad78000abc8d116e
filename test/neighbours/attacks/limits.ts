import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Attack, Target } from '../attack.ts';
import { persist } from '../persist.ts';
import { PIXEL_INPUT, post } from './post.ts';

export const manyKeys: Attack = {
  name: 'a login that makes keys and pings receivers without end',
  finding: 'S9',
  run: async (target, signal) => {
    const keys: string[] = [];
    await Promise.all([
      persist(signal, { pauseMs: 50 }, async () => {
        const { data } = await ask(target, 'mutation { createKey { key } }', signal);
        const key = data?.['createKey']?.key;
        if (key) keys.push(key);
      }),
      persist(signal, { width: 4, pauseMs: 5 }, async () => {
        const key = keys[Math.floor(Math.random() * keys.length)];
        if (key === undefined) return;
        const headers = { authorization: `Bearer ${key}` };
        await (await request(`${target.url}/v1/usage`, { headers, signal })).body.dump();
      }),
      persist(signal, { width: 2, pauseMs: 5 }, () => ask(target, '{ requests(first: 100) { nodes { id } } }', signal)),
    ]);
  },
};

/** Requests for an engine that takes one call of 20 s at a time: nothing of them ever ends in time. */
export const fullQueue: Attack = {
  name: 'a queue filled by one account',
  finding: 'S11',
  run: ({ funded }, signal) =>
    persist(signal, { width: 4, pauseMs: 0 }, () =>
      post(funded, { engine: 'stuck', input: PIXEL_INPUT, mode: 'async' }, signal),
    ),
};

export const failedLogins: Attack = {
  name: 'wrong passwords from one address',
  finding: 'S13',
  run: ({ dashboardUrl }, signal) =>
    persist(signal, { width: 4, pauseMs: 0 }, async () => {
      const { body } = await request(`${dashboardUrl}/api/login`, {
        method: 'POST',
        headers: { origin: dashboardUrl, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `${randomUUID()}@example.com`, password: 'not the password' }),
        signal,
      });
      await body.dump();
    }),
};

async function ask(
  { dashboardUrl, cookie }: Target,
  query: string,
  signal: AbortSignal,
): Promise<{ data?: Record<string, { key?: string } | undefined> }> {
  const { body } = await request(`${dashboardUrl}/graphql`, {
    method: 'POST',
    headers: { origin: dashboardUrl, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
    signal,
  });
  return (await body.json()) as { data?: Record<string, { key?: string }> }; // a GraphQL answer
}
