import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { request } from 'undici';
import type { Attack, Target } from '../attack.ts';
import { persist } from '../persist.ts';
import { ask, byLogin, whole } from './ask.ts';
import { makeKey } from './keys.ts';
import { listenWhile } from './listen-while.ts';
import { PIXEL_INPUT, post } from './post.ts';

/** Keys as long as it may make them, each with calls of its own, and test events, most of which are refused. */
export const manyKeys: Attack = {
  name: 'a login that makes keys and pings receivers without end',
  finding: 'S9',
  run: async (target, signal) => {
    const login = byLogin(target, target);
    const keys: string[] = [];
    const webhook = register(target, signal);
    const ping = async () => {
      const body = { query: PING, variables: { id: await webhook } };
      await ask({ ...login, body, refusals: ['rate_limited'] }, signal);
    };
    await Promise.all([
      persist(signal, { pauseMs: 0 }, async () => {
        const key = await makeKey(target, signal);
        if (key !== null) keys.push(key);
      }),
      persist(signal, { width: 4, pauseMs: 5 }, () => useOneOf(target, keys, signal)),
      persist(signal, { width: 2, pauseMs: 5 }, () =>
        ask({ ...login, body: LIST, refusals: ['rate_limited'] }, signal),
      ),
      persist(signal, { width: 2, pauseMs: 5 }, ping),
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

const LIST = { query: '{ requests(first: 100) { nodes { id } } }' };
const PING = 'mutation ($id: ID!) { testWebhook(id: $id) { id } }';

/** A receiver that takes what it is sent, until the signal aborts; the id of its registration. */
async function register(target: Target, signal: AbortSignal): Promise<string> {
  const url = await listenWhile(
    createServer((received, response) => received.resume().once('end', () => response.end())),
    signal,
  );
  const query = 'mutation ($url: String!) { createWebhook(url: $url) { id } }';
  const text = await ask({ ...byLogin(target, target), body: { query, variables: { url } } }, whole());
  return (JSON.parse(text) as { data: { createWebhook: { id: string } } }).data.createWebhook.id; // what it asked for
}

/** A call with any of the keys, as soon as there is one. */
async function useOneOf({ url }: Target, keys: readonly string[], signal: AbortSignal): Promise<void> {
  const key = keys[Math.floor(Math.random() * keys.length)];
  if (key === undefined) return;
  const headers = { authorization: `Bearer ${key}` };
  const { statusCode, body } = await request(`${url}/v1/usage`, { headers, signal });
  await body.dump();
  if (statusCode !== 200 && statusCode !== 429) throw new Error(`the usage was answered ${statusCode}`);
}
