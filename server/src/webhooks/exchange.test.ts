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
