/** One page of a list, and where the next one begins: null at its end. */
export interface ReadPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

/** Reads the page behind a cursor, or the first one. */
export type PageReader<Row> = (after: string | null) => Promise<ReadPage<Row>>;

export interface ReadRows<Row> {
  readonly rows: readonly Row[];
  /** Whether there are more than were read. */
  readonly isCut: boolean;
}

interface Reading {
  readonly most: number;
  readonly signal: AbortSignal;
  readonly onRead: (rows: number) => void;
  /** Waits before a page is asked for again that the rate limit refused. */
  readonly pause?: () => Promise<void>;
}

/** The rate limit refused a page: a minute later it takes it. */
export class RateLimited extends Error {}

const PAUSE_MS = 5000;
const MOST_PAUSES = 13;

/** Reads a list page after page, up to so many rows; null where it was stopped. */
export async function readAll<Row>(
  page: PageReader<Row>,
  { most, signal, onRead, pause = pauseOf(PAUSE_MS) }: Reading,
): Promise<ReadRows<Row> | null> {
  const rows: Row[] = [];
  let after: string | null = null;
  do {
    const answer: ReadPage<Row> | null = await pageInTime(() => page(after), pause, signal);
    if (answer === null || signal.aborted) return null;
    const { rows: more, next } = answer;
    after = next === after ? null : next; // a page that names itself would never end
    rows.push(...more);
    onRead(rows.length);
  } while (after !== null && rows.length < most);
  return { rows: rows.slice(0, most), isCut: after !== null || rows.length > most };
}

async function pageInTime<Row>(page: () => Promise<Row>, pause: () => Promise<void>, signal: AbortSignal) {
  for (let pauses = 0; !signal.aborted; pauses += 1) {
    try {
      return await page();
    } catch (failure) {
      if (!(failure instanceof RateLimited) || pauses >= MOST_PAUSES) throw failure;
    }
    await pause();
  }
  return null;
}

function pauseOf(ms: number): () => Promise<void> {
  return () => new Promise((done) => setTimeout(done, ms));
}
