import { duration } from '../format/duration.ts';
import { money } from '../format/money.ts';
import { RequestStatus } from '../status/request-status.tsx';
import type { Column } from '../table/column.ts';

/** What a list of requests shows of each in either face. */
interface Listed {
  readonly status: string;
  readonly engine: string;
  readonly requestedEngine: string;
  readonly pages?: number | null;
  readonly pagesTotal?: number | null;
  readonly providerLatencyMs?: number | null;
  readonly cost: number;
}

type ListedColumn = Column<Listed> & { readonly widthPx: number };

export const STATUS: ListedColumn = {
  id: 'status',
  header: 'Status',
  widthPx: 128,
  cell: ({ status }) => <RequestStatus status={status} />,
};
export const PAGES: ListedColumn = { id: 'pages', header: 'Pages', widthPx: 72, align: 'right', cell: pagesText };
export const TOOK: ListedColumn = {
  id: 'took',
  header: 'Engine time',
  widthPx: 104,
  align: 'right',
  cell: ({ providerLatencyMs }) => duration(providerLatencyMs),
};
export const COST: ListedColumn = {
  id: 'cost',
  header: 'Charged',
  widthPx: 80,
  align: 'right',
  cell: ({ cost }) => money(cost),
};

/** `mistral`, or `mistral → tesseract` where automatic retry used another. */
export function engineText({ engine, requestedEngine }: Pick<Listed, 'engine' | 'requestedEngine'>): string {
  return engine === requestedEngine ? engine : `${requestedEngine} → ${engine}`;
}

/** `3`, or `3/5` where not all of the document's pages are read. */
function pagesText({ pages, pagesTotal }: Pick<Listed, 'pages' | 'pagesTotal'>): string {
  if (pages == null && pagesTotal == null) return '–';
  return pagesTotal == null || pages === pagesTotal ? String(pages) : `${pages ?? '–'}/${pagesTotal}`;
}
