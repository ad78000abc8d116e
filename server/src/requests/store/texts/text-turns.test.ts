import { expect, it } from 'vitest';
import { TextTurns } from './text-turns.ts';

const MOST_WAITING = 100;

it('refuses an account that asks for too many at once by 429, and no other', async () => {
  const turns = new TextTurns();
  const gone = new AbortController();
  using _first = await turns.take('a');
  const waiting = Array.from({ length: MOST_WAITING }, () => turns.take('a', gone.signal));
  await expect(turns.take('a')).rejects.toMatchObject({ code: 'rate_limited' });
  using _other = await turns.take('b');
  gone.abort(new Error('gone'));
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
});
