import { call } from '../http/call.ts';
import type { Span } from './span.ts';

const PER_PAGE = 100;
const COLUMNS = [
  'request_id',
  'created_at',
  'engine',
  'status',
  'pages',
  'cost_usd',
  'provider_latency_ms',
  'mode',
  'key_label',
] as const;

type UsageRow = Readonly<Record<(typeof COLUMNS)[number], string | number | null>>;

interface UsagePage {
  readonly data: readonly UsageRow[];
  readonly total: number;
}

interface Wish {
  readonly accountId: string;
  readonly span: Span;
  /** Told how many of how many are there. */
  readonly onProgress: (done: number, total: number) => void;
}

/** Every request of some days as rows of a table, its header first; from `GET /api/usage`, page by page. */
export async function usageRows({ accountId, span, onProgress }: Wish) {
  const rows: Array<ReadonlyArray<string | number | null>> = [COLUMNS];
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ user_id: accountId, ...span, page: String(page), per_page: String(PER_PAGE) });
    const { data, total } = await call<UsagePage>('GET', `/api/usage?${query}`);
    rows.push(...data.map((row) => COLUMNS.map((name) => row[name])));
    onProgress(rows.length - 1, total);
    if (data.length < PER_PAGE || rows.length > total) return rows;
  }
}
