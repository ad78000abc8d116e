import { expect, it } from 'vitest';
import { withChanged, withNewest } from './changed-rows.ts';

const row = (id: string, status = 'succeeded') => ({ id, status });
const shown = { rows: [row('d'), row('c', 'processing'), row('b')], hasMore: true, endCursor: 'b', asked: 3 };

it('changes what is listed where it stands, and puts what is new on top', () => {
  const now = withChanged(shown, ['c', 'e', 'f'], [row('e'), row('f', 'queued'), row('c')]);
  expect(now).toEqual({ ...shown, rows: [row('f', 'queued'), row('e'), row('d'), row('c'), row('b')] });
});

it('drops what the filter wants no longer, and knows nothing of what it never wanted', () => {
  expect(withChanged(shown, ['c', 'x'], []).rows).toEqual([row('d'), row('b')]);
});

it('leaves what is older than its end to the page that it stands on', () => {
  expect(withChanged(shown, ['a'], [row('a')]).rows).toEqual(shown.rows);
  expect(withChanged({ ...shown, hasMore: false }, ['a'], [row('a')]).rows.at(-1)).toEqual(row('a'));
});

it('begins an empty list', () => {
  const none: readonly ReturnType<typeof row>[] = [];
  expect(withChanged({ rows: none, hasMore: false, endCursor: null, asked: 0 }, ['a'], [row('a')]).rows).toEqual([
    row('a'),
  ]);
});

it('keeps no more of what it has followed than a thousand rows beyond those that were asked for', () => {
  const id = (n: number) => String(n).padStart(6, '0');
  let now: { rows: { id: string }[]; hasMore: boolean; endCursor: string | null; asked: number } = {
    ...{ rows: [{ id: id(1) }, { id: id(0) }], hasMore: false, endCursor: null, asked: 2 },
  };
  for (let n = 2; n < 1102; n += 100) {
    const fresh = Array.from({ length: 100 }, (_, k) => ({ id: id(n + k) }));
    now = withChanged(
      now,
      fresh.map((each) => each.id),
      fresh,
    );
  }
  expect(now.rows).toHaveLength(1002);
  expect(now).toMatchObject({ hasMore: true, endCursor: now.rows.at(-1)?.id });
  expect(now.rows[0]?.id).toBe(id(1101));
});

it('puts the newest page before what was listed below it, and begins anew where they do not meet', () => {
  type List = Omit<typeof shown, 'endCursor'> & { endCursor: string | null };
  const before: List = { rows: ['g', 'f', 'e', 'd'].map((id) => row(id)), hasMore: true, endCursor: 'd', asked: 4 };
  const page = (...ids: string[]) => ({
    rows: ids.map((id) => row(id)),
    hasMore: true,
    endCursor: ids.at(-1) ?? null,
    asked: 2,
  });
  expect(withNewest(before, page('h', 'g'))).toEqual({
    ...before,
    rows: ['h', 'g', 'f', 'e', 'd'].map((id) => row(id)),
    asked: 5,
  });
  expect(withNewest(before, page('k', 'i'))).toEqual(page('k', 'i'));
  expect(withNewest(before, { ...page('g'), hasMore: false })).toEqual({ ...page('g'), hasMore: false });
});
