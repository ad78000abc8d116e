import { expect, it } from 'vitest';
import { append, emptyFeed, type Feed, MOST_FOLLOWED, MOST_WAITING, release, take } from './feed.ts';

interface Row {
  readonly id: string;
  readonly status: string;
}
const EVERYTHING = () => true;

it('puts new rows on top while nobody reads', () => {
  const feed = take(feedOf('b', 'a'), [row('c'), row('d')], { held: false, wanted: EVERYTHING });
  expect(ids(feed.rows)).toEqual(['d', 'c', 'b', 'a']);
  expect(feed.waiting).toEqual([]);
});

it('lets the oldest rows go while it follows, and knows that there are more', () => {
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => row(String(from + n).padStart(6, '0')));
  let feed = take(feedOf(), numbered(0, MOST_FOLLOWED), { held: false, wanted: EVERYTHING });
  expect(feed).toMatchObject({ hasMore: false });
  expect(feed.rows).toHaveLength(MOST_FOLLOWED);
  feed = take(feed, numbered(MOST_FOLLOWED, MOST_FOLLOWED + 1), { held: false, wanted: EVERYTHING });
  expect(feed).toMatchObject({ hasMore: true });
  expect(feed.rows.length).toBeLessThan(MOST_FOLLOWED);
  expect(feed.rows[0]?.id).toBe(String(MOST_FOLLOWED).padStart(6, '0'));
  const held = { ...feed, rows: numbered(0, 2 * MOST_FOLLOWED).toReversed() };
  expect(take(held, [row('999999')], { held: true, wanted: EVERYTHING }).rows).toHaveLength(2 * MOST_FOLLOWED);
});

it('keeps new rows waiting while the list is held, and moves nothing', () => {
  const before = feedOf('b', 'a');
  const held = take(before, [row('c')], { held: true, wanted: EVERYTHING });
  expect(held.rows).toBe(before.rows);
  expect(ids(held.waiting)).toEqual(['c']);
  expect(ids(release(held).rows)).toEqual(['c', 'b', 'a']);
  expect(release(held).waiting).toEqual([]);
});

it('changes a row in its place even while held, in the list and among those that wait', () => {
  const held = take(feedOf('b', 'a'), [row('c')], { held: true, wanted: EVERYTHING });
  const done = take(held, [row('a', 'succeeded'), row('c', 'failed')], { held: true, wanted: EVERYTHING });
  expect(done.rows).toEqual([row('b'), row('a', 'succeeded')]);
  expect(done.waiting).toEqual([row('c', 'failed')]);
});

it('lets in only what the filter wants, but keeps a row that no longer matches where it stands', () => {
  const wanted = ({ status }: Row) => status === 'queued';
  const feed = take(feedOf('a'), [row('a', 'failed'), row('b', 'failed'), row('c')], { held: false, wanted });
  expect(feed.rows).toEqual([row('c'), row('a', 'failed')]);
});

it('leaves rows that are older than what was loaded to the next page', () => {
  const feed = { ...feedOf('d', 'c'), hasMore: true };
  expect(ids(take(feed, [row('a')], { held: false, wanted: EVERYTHING }).rows)).toEqual(['d', 'c']);
  expect(ids(append(feed, [row('c'), row('b')], false).rows)).toEqual(['d', 'c', 'b']);
});

it('finds the place of a row that was committed late', () => {
  expect(ids(take(feedOf('d', 'b'), [row('c')], { held: false, wanted: EVERYTHING }).rows)).toEqual(['d', 'c', 'b']);
});

it('keeps a bounded number waiting and says that there were more', () => {
  const many = Array.from({ length: MOST_WAITING + 1 }, (_, n) => row(`b${String(n).padStart(5, '0')}`));
  const feed = take(feedOf('a'), many, { held: true, wanted: EVERYTHING });
  expect(feed.waiting).toHaveLength(MOST_WAITING);
  expect(feed.overflowed).toBe(true);
});

function feedOf(...rowIds: string[]): Feed<Row> {
  return append(
    emptyFeed<Row>(),
    rowIds.map((id) => row(id)),
    false,
  );
}

function row(id: string, status = 'queued'): Row {
  return { id, status };
}

function ids(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => id);
}
