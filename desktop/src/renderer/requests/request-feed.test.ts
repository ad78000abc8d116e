import { expect, it, vi } from 'vitest';
import { MOST_FOLLOWED } from './feed.ts';
import { type FeedSource, MOST_ASKED, RequestFeed } from './request-feed.ts';

interface Row {
  readonly id: string;
}

it('pages backwards from where the last page ended', async () => {
  const feed = new RequestFeed(sourceOf('a', 'b', 'c', 'd', 'e'));
  await feed.reload();
  expect(shown(feed)).toEqual(['e', 'd']);
  await feed.loadMore();
  await feed.loadMore();
  expect(shown(feed)).toEqual(['e', 'd', 'c', 'b', 'a']);
  expect(feed.state().hasMore).toBe(false);
});

it('pages on behind what it has kept while it followed', async () => {
  const source = sourceOf('000');
  const feed = new RequestFeed(source);
  await feed.reload();
  for (let n = 1; n <= MOST_FOLLOWED; n += 100) {
    const ids = Array.from({ length: 100 }, (_, more) => String(n + more).padStart(3, '0'));
    source.stored.push(...ids);
    feed.catchUp(
      ids.map((id) => ({ id })),
      true,
    );
  }
  const kept = shown(feed);
  expect(kept.length).toBeLessThan(MOST_FOLLOWED);
  expect(feed.state().hasMore).toBe(true);
  await feed.loadMore();
  const next = Number(kept.at(-1)) - 1;
  expect(shown(feed).slice(kept.length)).toEqual([next, next - 1].map((id) => String(id).padStart(3, '0')));
});

it('asks once for what changed together, and holds new rows back while it is held', async () => {
  const source = sourceOf('a', 'b');
  const feed = new RequestFeed(source);
  await feed.reload();
  feed.hold(true);
  feed.note('c', true);
  feed.note('d', true);
  await vi.waitFor(() => expect(feed.state().waiting.map(({ id }) => id)).toEqual(['d', 'c']));
  expect(source.asked).toEqual([['c', 'd']]);
  expect(shown(feed)).toEqual(['b', 'a']);
  feed.hold(false);
  expect(shown(feed)).toEqual(['d', 'c', 'b', 'a']);
});

it('does not ask for what the filter cannot want, unless it stands in the list', async () => {
  const source = sourceOf('a', 'b');
  const feed = new RequestFeed(source);
  await feed.reload();
  feed.note('x', false);
  feed.note('a', false);
  await vi.waitFor(() => expect(source.asked).toEqual([['a']]));
});

it('loads the top anew after more changes than are worth asking for one by one', async () => {
  const source = sourceOf('a', 'b', 'c');
  const feed = new RequestFeed(source);
  await feed.reload();
  feed.hold(true);
  for (let n = 0; n <= 3 * MOST_ASKED; n += 1) feed.note(`d${n}`, true);
  await vi.waitFor(() => expect(feed.state().overflowed).toBe(true));
  expect(source.asked).toEqual([]);
  source.stored.push('e');
  feed.showWaiting();
  await vi.waitFor(() => expect(shown(feed)).toEqual(['e', 'c']));
  expect(feed.state().overflowed).toBe(false);
});

it('says why a page did not come, and comes to itself on the next try', async () => {
  const source = sourceOf('a');
  const feed = new RequestFeed<Row>({ ...source, page: () => Promise.reject(new Error('no connection')) });
  await feed.reload();
  expect(feed.state().failure?.message).toBe('no connection');
  const well = new RequestFeed(source);
  await well.reload();
  expect(well.state()).toMatchObject({ failure: null, loading: false });
});

it('drops answers to questions from before a fresh start', async () => {
  const late = Promise.withResolvers<readonly Row[]>();
  const source = sourceOf('a');
  const rows = vi.fn(() => late.promise);
  const feed = new RequestFeed<Row>({ ...source, rows });
  await feed.reload();
  feed.note('b', true);
  await vi.waitFor(() => expect(rows).toHaveBeenCalled());
  await feed.reload();
  late.resolve([{ id: 'b' }]);
  await late.promise;
  expect(shown(feed)).toEqual(['a']);
});

it('catches up with what was missed, or starts again where not all of it came', async () => {
  const source = sourceOf('a');
  const feed = new RequestFeed<Row>(source);
  await feed.reload();
  feed.catchUp([{ id: 'b' }], true);
  expect(shown(feed)).toEqual(['b', 'a']);
  source.stored.push('c', 'd');
  feed.catchUp([{ id: 'c' }], false);
  await vi.waitFor(() => expect(shown(feed)).toEqual(['d', 'c']));
});

/** A gateway with these requests, two on a page. */
function sourceOf(...ids: string[]): FeedSource<Row> & { readonly stored: string[]; readonly asked: string[][] } {
  const stored = [...ids];
  const asked: string[][] = [];
  return {
    stored,
    asked,
    wanted: () => true,
    rows: async (wanted) => {
      asked.push([...wanted]);
      return wanted.map((id) => ({ id }));
    },
    page: async (after) => {
      const older = [...stored]
        .sort()
        .reverse()
        .filter((id) => after === null || id < after);
      const rows = older.slice(0, 2).map((id) => ({ id }));
      return { rows, endCursor: rows.at(-1)?.id ?? null, hasMore: older.length > 2 };
    },
  };
}

function shown(feed: RequestFeed<Row>): string[] {
  return feed.state().rows.map(({ id }) => id);
}
