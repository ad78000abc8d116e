import { Agent } from 'undici';
import { afterAll, expect, it } from 'vitest';
import { listen } from '../../../test/house/listen.ts';
import { exchange } from './exchange.ts';

const agent = new Agent();
afterAll(() => agent.destroy());

it('passes by what a receiver says before its answer, and hangs up on one that has too much to say', async () => {
  await using receiver = await listen(({ url }, res) => {
    for (let n = 0; n < Number(url?.slice(1)); n++) res.writeProcessing();
    res.end();
  });
  const send = (times: number) =>
    exchange(`${receiver.url}/${times}`, {
      agent,
      headers: {},
      body: '{}',
      timeoutMs: 5000,
      signal: new AbortController().signal,
    });
  expect(await send(10)).toMatchObject({ delivered: true, responseCode: 200 });
  expect(await send(1000)).toMatchObject({ delivered: false, error: 'The connection failed.' });
});

it('says why a connection failed only where that is asked for', async () => {
  const receiver = await listen(() => undefined);
  await receiver[Symbol.asyncDispose]();
  const options = { agent, headers: {}, body: '{}', timeoutMs: 5000, signal: new AbortController().signal };
  expect(await exchange(receiver.url, options)).toMatchObject({ error: 'The connection failed.' });
  const told = await exchange(receiver.url, { ...options, saysWhy: true });
  expect(told).toMatchObject({ error: 'The connection failed (ECONNREFUSED).' });
});
