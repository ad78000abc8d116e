import { expect, it } from 'vitest';
import { PositionTurns } from './position-turns.ts';

const MB = 1024 * 1024;
const FOREVER = new AbortController().signal;

it('an account that has used up its time waits, and no other one does', async () => {
  const turns = new PositionTurns({ hasOthers: () => true });
  expect(turns.beforeLocating('greedy', 1000, FOREVER)).toBeNull();
  await turns.beforeLocating('greedy', 100 * MB, AbortSignal.abort());
  const waiting = turns.load('greedy', async () => ({ found: 'late', bytes: 0 }));
  expect(await turns.load('other', async () => ({ found: 'lines', bytes: MB }))).toBe('lines');
  expect(turns.beforeLocating('other', 1000, FOREVER)).toBeNull();
  expect(await Promise.race([waiting, 'still waiting'])).toBe('still waiting');
});

it('loads nothing while its account waits, and nothing at all for who has left', async () => {
  const turns = new PositionTurns({ hasOthers: () => true });
  await turns.beforeLocating('greedy', 100 * MB, AbortSignal.abort());
  let loads = 0;
  const load = async () => ({ found: ++loads, bytes: MB });
  const left = new AbortController();
  const waiting = [1, 2, 3].map(() => turns.load('greedy', load, left.signal));
  await new Promise(setImmediate); // one of them waits for its rate by now
  const reason = new Error('gone');
  left.abort(reason);
  expect(await Promise.allSettled(waiting)).toEqual(waiting.map(() => ({ status: 'rejected', reason })));
  expect(loads).toBe(0);
});

it('loads one after the other for an account that has used up its time', async () => {
  const turns = new PositionTurns({ hasOthers: () => true });
  const order: string[] = [];
  const load = (name: string) => async () => {
    order.push(name);
    return { found: name, bytes: 5 * MB };
  };
  await Promise.all(
    ['a', 'b'].map((name) => turns.load('greedy', load(name)).then(() => order.push(`${name} has it`))),
  );
  expect(order).toEqual(['a', 'a has it', 'b', 'b has it']);
});

it('a request that is stopped does not wait any longer', async () => {
  const turns = new PositionTurns({ hasOthers: () => true });
  await turns.beforeLocating('greedy', 1000 * MB, AbortSignal.abort());
  const stop = new AbortController();
  const waiting = turns.beforeLocating('greedy', MB, stop.signal);
  stop.abort();
  await waiting;
});

it('an account that is alone has all the time there is', () => {
  const turns = new PositionTurns({ hasOthers: () => false });
  for (let n = 0; n < 10; n++) expect(turns.beforeLocating('alone', 1000 * MB, FOREVER)).toBeNull();
});
