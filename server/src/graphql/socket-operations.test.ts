import { setImmediate as turn } from 'node:timers/promises';
import { type ExecutionArgs, type ExecutionResult, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Caller } from '../accounts/callers/caller.ts';
import type { RateLimiter } from '../accounts/callers/rate-limit.ts';
import { ReadTurns } from '../platform/concurrency/read-turns.ts';
import { makeLog } from '../platform/logging/log.ts';
import { SchemaAnswers } from './schema-answers.ts';
import { SchemaTurns } from './schema-turns.ts';
import { SocketOperations } from './socket-operations.ts';

const FOREVER = new AbortController().signal;
const ALLOWED = { allowed: true, limit: 60, remaining: 59, resetAt: 0 };

// An operation that comes with others has a turn of the event loop of its own.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Fields that are answered when the test says so. */
function site() {
  const begun: string[] = [];
  const received: string[] = [];
  const ends = new Map<string, (answer?: string) => void>();
  const slow = {
    type: GraphQLString,
    args: { name: { type: GraphQLString } },
    resolve: async (_source: unknown, { name }: { name: string }) => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, (answer = name) => resolve(answer)));
    },
  };
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { slow } }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: { slow } }),
  });
  const limiter = { hit: async () => ALLOWED, spend: async () => undefined } as unknown as RateLimiter;
  const operations = new SocketOperations({
    schema,
    limiter,
    schemaAnswers: new SchemaAnswers(schema, new SchemaTurns()),
    reads: new ReadTurns({ hasOthers: () => true }),
    contextOf: (caller) => ({ caller }),
    onRefusal: () => undefined,
    onRefused: () => undefined,
    log: makeLog('silent'),
  });
  const ask = async (accountId: string, query: string) => {
    const caller = { accountId } as Caller;
    const peer = { caller, hangUp: () => FOREVER, kept: new Map() };
    const args = await operations.prepare(
      {
        id: '1',
        peer,
        caller,
        receiver: () => (json) => void received.push(json.toString()),
      },
      { query },
    );
    return operations.execute(args as ExecutionArgs) as Promise<ExecutionResult>;
  };
  const settle = async (turns = 10) => {
    for (let n = 0; n < turns; n++) await turn();
  };
  return { ask, begun, received, settle, end: (name: string, answer?: string) => ends.get(name)?.(answer) };
}

it('begins an account’s queries one after the other while others call, and makes nothing else wait', async () => {
  const { ask, begun, settle, end } = site();
  const first = ask('a', '{ slow(name: "a1") }');
  const second = ask('a', '{ slow(name: "a2") }');
  void ask('a', 'mutation { slow(name: "a3") }');
  void ask('b', '{ slow(name: "b1") }');
  await settle();
  expect(begun.toSorted()).toEqual(['a1', 'a3', 'b1']);
  end('a1');
  expect(await first).toMatchObject({ data: { slow: 'a1' } });
  await settle();
  expect(begun).toContain('a2');
  end('a2');
  expect(await second).toMatchObject({ data: { slow: 'a2' } });
});

it('answers a query that cannot wait with the code of its refusal', async () => {
  const { ask, settle } = site();
  for (let n = 0; n < 1001; n++) void ask('a', '{ slow(name: "a") }');
  await settle(1100);
  const { errors } = await ask('a', '{ slow(name: "a") }');
  expect(errors?.map(({ extensions }) => extensions)).toEqual([{ code: 'rate_limited', retry_after_seconds: 10 }]);
});

it('writes a large answer itself, and nothing is iterated over then', async () => {
  vi.useRealTimers(); // a slice that took long lets others go first, by a timer
  const { ask, settle, end, received } = site();
  const answer = ask('a', `{ slow(name: "long") }`);
  await settle();
  end('long', 'x'.repeat(200_000));
  for await (const result of (await answer) as unknown as AsyncIterable<unknown>) throw new Error(String(result));
  const message = { type: 'next', id: '1', payload: { data: { slow: 'x'.repeat(200_000) } } };
  expect(received.map((json) => JSON.parse(json))).toEqual([message]);
});
