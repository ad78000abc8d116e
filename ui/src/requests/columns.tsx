import { duration } from '../format/duration.ts';
import { money } from '../format/money.ts';
import { RequestStatus } from '../status/request-status.tsx';
import type { Column } from '../table/column.ts';
import { ENGINE_TIME } from './engine-time.ts';

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

interface Ending {
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly errorCode: string | null;
  readonly providerError: string | null;
}

type EndingColumn = Column<Ending> & { readonly widthPx: number };
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
  ...ENGINE_TIME,
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

export const TOTAL: EndingColumn = {
  id: 'total',
  header: 'Total time',
  widthPx: 96,
  align: 'right',
  cell: (request) => duration(totalMs(request)),
};
/** The code; what was said of it where there is none, and under the pointer. */
export const ERROR: EndingColumn = {
  id: 'error',
  header: 'Error',
  widthPx: 156,
  cell: ({ errorCode, providerError }) => {
    const text = errorCode ?? providerError;
    return text && <span title={providerError ?? undefined}>{text}</span>;
  },
};

/** Milliseconds from acceptance to end; null while it has not ended. */
export function totalMs({ createdAt, finishedAt }: Pick<Ending, 'createdAt' | 'finishedAt'>): number | null {
  return finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(createdAt);
}

/** `mistral`, or `mistral → tesseract` where automatic retry used another. */
export function engineText({ engine, requestedEngine }: Pick<Listed, 'engine' | 'requestedEngine'>): string {
  return engine === requestedEngine ? engine : `${requestedEngine} → ${engine}`;
}

/** `3`, or `3/5` where not all of the document's pages are read. */
function pagesText({ pages, pagesTotal }: Pick<Listed, 'pages' | 'pagesTotal'>): string {
  if (pages == null && pagesTotal == null) return '–';
  return pagesTotal == null || pages === pagesTotal ? String(pages) : `${pages ?? '–'}/${pagesTotal}`;
}
