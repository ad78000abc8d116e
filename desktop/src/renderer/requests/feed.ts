/** A list that grows at its top while somebody may be reading it. Ids rise with time; the newest row comes first. */
export interface Feed<Row extends { readonly id: string }> {
  readonly rows: readonly Row[];
  /** What came while the list was held, newest first. */
  readonly waiting: readonly Row[];
  /** More came than is worth keeping: showing it means loading the top anew. */
  readonly overflowed: boolean;
  /** Whether there are older rows than the last one. */
  readonly hasMore: boolean;
}

/** Rows that wait at most; beyond it only their being there is known. */
export const MOST_WAITING = 500;
/** Rows of a list that follows: beyond them the oldest go, and are loaded again by whoever scrolls there. */
export const MOST_FOLLOWED = 500;
const KEPT_FOLLOWED = 300;

export function emptyFeed<Row extends { readonly id: string }>(): Feed<Row> {
  return { rows: [], waiting: [], overflowed: false, hasMore: false };
}

/** Puts older rows at the end. */
export function append<Row extends { readonly id: string }>(
  feed: Feed<Row>,
  older: readonly Row[],
  hasMore: boolean,
): Feed<Row> {
  const known = new Set(feed.rows.map(({ id }) => id));
  return { ...feed, rows: [...feed.rows, ...older.filter(({ id }) => !known.has(id))], hasMore };
}

/**
 * Takes rows that are new or have changed. Rows in the list change in their place, which moves nothing; new ones wait
 * while the list is held. What `wanted` does not want comes in only where it stands already.
 */
export function take<Row extends { readonly id: string }>(
  feed: Feed<Row>,
  changed: readonly Row[],
  { held, wanted }: { readonly held: boolean; readonly wanted: (row: Row) => boolean },
): Feed<Row> {
  const news = new Map(changed.map((row) => [row.id, row]));
  const rows = replace(feed.rows, news);
  const waiting = replace(feed.waiting, news);
  const oldest = feed.hasMore ? feed.rows.at(-1)?.id : undefined;
  const fresh = [...news.values()].filter(({ id }) => oldest === undefined || id > oldest).filter(wanted);
  if (fresh.length === 0) return { ...feed, rows, waiting };
  if (!held) return newest({ ...feed, rows: merge(rows, fresh), waiting });
  const all = merge(waiting, fresh);
  return {
    ...feed,
    rows,
    waiting: all.slice(0, MOST_WAITING),
    overflowed: feed.overflowed || all.length > MOST_WAITING,
  };
}

function newest<Row extends { readonly id: string }>(feed: Feed<Row>): Feed<Row> {
  return feed.rows.length <= MOST_FOLLOWED ? feed : { ...feed, rows: feed.rows.slice(0, KEPT_FOLLOWED), hasMore: true };
}

/** Lets in what waits. */
export function release<Row extends { readonly id: string }>(feed: Feed<Row>): Feed<Row> {
  return feed.waiting.length === 0 ? feed : { ...feed, rows: merge(feed.rows, feed.waiting), waiting: [] };
}

/** The rows with their newer versions, which are taken out of `news`. The same array where none has changed. */
function replace<Row extends { readonly id: string }>(rows: readonly Row[], news: Map<string, Row>): readonly Row[] {
  if (!rows.some(({ id }) => news.has(id))) return rows;
  return rows.map((row) => {
    const newer = news.get(row.id);
    news.delete(row.id);
    return newer ?? row;
  });
}

function merge<Row extends { readonly id: string }>(rows: readonly Row[], more: readonly Row[]): readonly Row[] {
  const sorted = [...more].sort((a, b) => (a.id < b.id ? 1 : -1));
  const first = rows[0];
  // Nearly always all of them belong to the top.
  if (first === undefined || (sorted.at(-1)?.id ?? '') > first.id) return [...sorted, ...rows];
  return [...sorted, ...rows].sort((a, b) => (a.id < b.id ? 1 : -1));
}
