import { buildSchema, type ExecutionArgs, parse } from 'graphql';
import { beforeEach, expect, it } from 'vitest';
import { LiveStream } from '../../platform/messaging/live-stream.ts';
import { SharedFeeds } from './shared-feeds.ts';

const schema = buildSchema('type Query { ok: Boolean } type Subscription { jobFeed: String, requestChanged: String }');

let source: LiveStream<unknown>;
let opened: number;
let closed: number;
let executed: number;
let feeds: SharedFeeds;

beforeEach(() => {
  opened = 0;
  closed = 0;
  executed = 0;
  feeds = new SharedFeeds((result) => result);
});

function args(refused = false): ExecutionArgs {
  const jobFeed = () => {
    if (refused) throw new Error('not for you');
    opened++;
    source = new LiveStream(() => closed++);
    return source;
  };
  return { schema, document: parse('subscription { jobFeed }'), rootValue: { jobFeed } };
}

async function member(key: string) {
  const got: string[] = [];
  const stream = await feeds.join(key, args(), (result) => got.push(String(result)));
  if (!(Symbol.asyncIterator in stream)) throw new Error('it was refused');
  return { got, stream };
}

/** Pushes an event that counts how often it is looked at. */
async function tell(text: string): Promise<void> {
  source.push({
    get jobFeed() {
      executed++;
      return text;
    },
  });
  await new Promise(setImmediate);
}

it('executes each event once, however many there are who ask the same', async () => {
  const [a, b] = [await member('same'), await member('same')];
  await tell('one');
  expect([a.got, b.got]).toEqual([['{"data":{"jobFeed":"one"}}'], ['{"data":{"jobFeed":"one"}}']]);
  expect({ opened, executed }).toEqual({ opened: 1, executed: 1 });
});

it('keeps apart who may see something else', async () => {
  const a = await member('one');
  const b = await member('another');
  await tell('x');
  expect(opened).toBe(2);
  expect(a.got).toEqual([]); // its own source was told nothing
  expect(b.got).toHaveLength(1);
});

it('goes on for the others when one leaves, and ends with the last', async () => {
  const [a, b] = [await member('same'), await member('same')];
  await a.stream.return?.();
  await tell('two');
  expect([a.got, b.got.length]).toEqual([[], 1]);
  expect(closed).toBe(0);
  await b.stream.return?.();
  expect(closed).toBe(1);
  const c = await member('same');
  await tell('three');
  expect({ opened, got: c.got }).toEqual({ opened: 2, got: ['{"data":{"jobFeed":"three"}}'] });
});

it('ends for all members when the source does', async () => {
  const { stream } = await member('same');
  const ending = stream.next();
  await source.return();
  expect(await ending).toEqual({ value: undefined, done: true });
});

it('answers a refusal as one, and asks again for the next', async () => {
  const refusal = await feeds.join('x', args(true), () => undefined);
  expect(refusal).toMatchObject({ errors: [expect.objectContaining({ message: 'not for you' })] });
  expect((await member('x')).got).toEqual([]);
});

it('shares only what tells nothing at its start', () => {
  const field = (value: string) => ({ name: { value } });
  expect(SharedFeeds.canShare([field('jobFeed')])).toBe(true);
  expect(SharedFeeds.canShare([field('requestChanged')])).toBe(false);
  expect(SharedFeeds.canShare([field('jobFeed'), field('requestsChanged')])).toBe(false);
});

it('sends to many members some in each turn, and ends with them likewise', async () => {
  const members = await Promise.all(Array.from({ length: 1000 }, () => member('same')));
  const sent = () => members.filter(({ got }) => got.length > 0).length;
  const ends = members.map(({ stream }) => stream.next());
  let ended = 0;
  for (const end of ends) void end.then(() => ended++);
  await tell('one');
  expect(sent()).toBeLessThan(200);
  for (let before = -1; sent() < members.length; ) {
    expect(sent() - before).toBeLessThan(200);
    before = sent();
    await new Promise(setImmediate);
  }
  await source.return();
  await new Promise(setImmediate);
  expect(ended).toBeLessThan(200);
  await Promise.all(ends);
});
