import { DAYS } from './demo-house.ts';

export interface Days {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

function day(ago: number): string {
  return new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
}

export function wholeDemo(): Days {
  return { from: day(DAYS), to: day(0) };
}

/** All days of the demo, this month, the month before, and some days of one's own. */
export function spans(): Days[] {
  const month = day(0).slice(0, 7);
  const monthBefore = new Date(Date.parse(`${month}-01T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
  return [
    wholeDemo(),
    { from: `${month}-01`, to: day(0) },
    { from: `${monthBefore.slice(0, 7)}-01`, to: monthBefore },
    { from: day(9), to: day(6) },
  ];
}

/** Days as the ledger and the list of requests are asked for them. */
export function timesOf({ from, to }: Days) {
  return { from: `${from}T00:00:00.000Z`, to: new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS).toISOString() };
}

export interface Paged<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}

/** Every page of a list, put together. */
export async function everyPage<Node>(read: (after: string | null) => Promise<Paged<Node>>): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let after: string | null = null; ; ) {
    const page: Paged<Node> = await read(after);
    nodes.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return nodes;
    after = page.pageInfo.endCursor;
  }
}

export interface Summary {
  readonly total: Figures;
  readonly byDay: readonly Slice[];
  readonly byEngine: readonly Slice[];
  readonly byKey: readonly Slice[];
  readonly byDayAndEngine: readonly { readonly day: string; readonly engine: string }[];
}

type Figures = Readonly<Record<'requests' | 'pages' | 'failed' | 'cost' | 'chargedOnFailures', number>>;

interface Slice extends Figures {
  readonly of: string;
}

/** Slices stand dearest first in an answer; which of two equal ones is the first says nothing. */
export function inOrder(summary: Summary): Summary {
  const { byDay, byEngine, byKey } = summary;
  const placeOf = ({ day, engine }: { day: string; engine: string }) => `${day} ${engine}`;
  const byDayAndEngine = summary.byDayAndEngine.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  return { ...summary, byDay: sorted(byDay), byEngine: sorted(byEngine), byKey: sorted(byKey), byDayAndEngine };
}

function sorted(slices: readonly Slice[]): Slice[] {
  return slices.toSorted((a, b) => (a.of < b.of ? -1 : 1));
}
