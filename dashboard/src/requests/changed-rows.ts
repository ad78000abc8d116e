interface Row {
  readonly id: string;
}

interface Shown {
  /** Newest first; ids rise with time. */
  readonly rows: readonly Row[];
  /** Whether there are older ones than the last. */
  readonly hasMore: boolean;
  /** The id of the last row that came with its page. */
  readonly endCursor: string | null;
  /** How many rows came with their pages. */
  readonly asked: number;
}

/** Rows beyond those that were asked for: what a page that stays open all day has followed does not pile up. */
const MOST_FOLLOWED = 1000;

/**
 * The list after these requests have changed; `found` are those of them that the filter wants, as they are now. The others
 * of them leave the list, and what is older than its end comes with its page.
 */
export function withChanged<S extends Shown>(shown: S, changed: readonly string[], found: S['rows']): S {
  const news = new Map(found.map((row) => [row.id, row]));
  const gone = new Set(changed.filter((id) => !news.has(id)));
  const known = new Set(shown.rows.map(({ id }) => id));
  const oldest = shown.hasMore ? (shown.rows.at(-1)?.id ?? '') : '';
  const fresh = found.filter(({ id }) => !known.has(id) && id > oldest);
  const kept = shown.rows.filter(({ id }) => !gone.has(id)).map((row) => news.get(row.id) ?? row);
  const rows = fresh.length === 0 ? kept : [...fresh, ...kept].sort((a, b) => (a.id < b.id ? 1 : -1));
  return cut({ ...shown, rows });
}

/** The list of before below its newest page as it is now; that page alone where there may be others between them. */
export function withNewest<S extends Shown>(before: S, newest: S): S {
  const end = newest.rows.at(-1)?.id;
  const met = before.rows.findIndex(({ id }) => id === end);
  if (!newest.hasMore || met < 0) return newest;
  const below = before.rows.slice(met + 1);
  return cut({
    ...before,
    rows: [...newest.rows, ...below],
    asked: Math.max(newest.asked, before.asked - (met + 1) + newest.rows.length),
  });
}

/** Without its oldest rows, which come again with their page. */
function cut<S extends Shown>(shown: S): S {
  const rows = shown.rows.slice(0, shown.asked + MOST_FOLLOWED);
  if (rows.length === shown.rows.length) return shown;
  return { ...shown, rows, hasMore: true, endCursor: rows.at(-1)?.id ?? null };
}
