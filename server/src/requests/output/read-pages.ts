import { keepsText } from '../../accounts/store/history-sql.ts';
import { type Pool, query } from '../../database/pool.ts';
import { rangeOfIds } from '../../platform/ids.ts';
import { Slices } from '../../platform/turns/slices.ts';
import { BYTES_OF_JSON, KeptLines, type LinesOfRow } from '../layout/kept-lines.ts';
import type { PackedTable, StoredLayout } from '../layout/stored-layout.ts';
import { type TextLine, unpackLine } from '../layout/unpack-lines.ts';
import type { OcrRequest } from '../model/ocr-request.ts';
import type { PositionTurns } from '../places/position-turns.ts';
import type { ReadPage } from './read-page.ts';

/** What there is to make files of. */
export interface ReadFacts {
  /** Numbers of pages that the request has, of those that were asked for. */
  readonly count: number;
  /** Whether a page has text. */
  readonly hasText: boolean;
  /** Whether of some page it is known where its text stands. */
  readonly hasLines: boolean;
  /** That read them, in the order of their names. */
  readonly engines: readonly string[];
}

/** So many pages are in memory at once while a file is written. */
const PART = 5;

const FACTS = {
  name: 'what-files-are-made-of',
  text: `select p.request_id as "requestId", count(*)::int as count, bool_or(coalesce(p.text, '') <> '') as "hasText",
           bool_or(l.request_id is not null) as "hasLines", array_agg(distinct p.engine) as engines
         from ocr_page p left join page_layout l
           on l.request_id = p.request_id and l.number = p.number and (l.lines is not null or l.line_bytes is not null)
           and l.request_id between $3 and $4
         where p.request_id = any($1::text[]) and p.request_id between $3 and $4 and ($2::int is null or p.number = $2)
         group by p.request_id`,
};

const PAGES = {
  name: 'pages-for-files',
  text: `select p.number as page, p.engine, case when r.keeps and p.state in ('read', 'blank') then p.text end as text,
           l.width, l.height, l.unit, l.dpi, l.text_angle as "textAngle", l.positions, l.located_by as "locatedBy",
           case when r.keeps then l.lines end as lines, case when r.keeps then l.line_bytes end as "lineBytes",
           coalesce(octet_length(l.line_bytes) * ${BYTES_OF_JSON}, octet_length(l.lines::text), 0) + coalesce(octet_length(p.text), 0) as bytes,
           case when r.keeps then l.tables end as tables
         from (
           select o.text_retained and ${keepsText('o.account_id', 'o.created_at', 'o.finished_at')} as keeps
           from ocr_request o where o.id = $1) r
         cross join lateral (
           select * from ocr_page where request_id = $1 and number > $2 and ($3::int is null or number = $3)
           order by number limit $4) p
         left join page_layout l on l.request_id = $1 and l.number = p.number
         order by p.number`,
};

type Row = Omit<StoredLayout, 'width' | 'lines' | 'tables'> & {
  readonly page: number;
  readonly engine: string;
  readonly text: string | null;
  readonly width: number | null;
  readonly bytes: number;
  readonly tables: readonly PackedTable[] | null;
} & LinesOfRow;

/** Pages of results that are retained, for files. */
export class ReadPages {
  readonly #pool: Pool;
  readonly #turns: PositionTurns;

  constructor(pool: Pool, turns: PositionTurns) {
    this.#pool = pool;
    this.#turns = turns;
  }

  /** By the request's id; of one page where one is named. A request without pages is not in it. */
  async facts(requestIds: readonly string[], page: number | null = null): Promise<ReadonlyMap<string, ReadFacts>> {
    type FactsRow = ReadFacts & { requestId: string };
    const rows = await query<FactsRow>(this.#pool, FACTS, [[...requestIds], page, ...rangeOfIds(requestIds)]);
    return new Map(rows.map(({ requestId, ...facts }) => [requestId, facts]));
  }

  /** In order, some at a time: a result may have thousands. */
  async *of({ id, accountId }: Pick<OcrRequest, 'id' | 'accountId'>, page: number | null): AsyncGenerator<ReadPage> {
    const slices = new Slices();
    for (let last = 0; ; ) {
      const rows = await this.#turns.load(accountId, async () => {
        const found = await query<Row>(this.#pool, PAGES, [id, last, page, PART]);
        return { found, bytes: found.reduce((sum, row) => sum + row.bytes, 0) };
      });
      for (const row of rows) yield await readPage(slices, row);
      last = rows.at(-1)?.page ?? last;
      if (rows.length < PART) return;
    }
  }
}

async function readPage(slices: Slices, row: Row): Promise<ReadPage> {
  const { page, engine, text, width, lines, lineBytes, tables, bytes: _bytes, ...layout } = row;
  return {
    page,
    engine,
    text,
    layout: width === null ? null : { ...layout, width },
    lines: await unpacked(slices, KeptLines.ofRow({ lines, lineBytes })),
    tables,
  };
}

async function unpacked(slices: Slices, kept: KeptLines | null): Promise<TextLine[]> {
  const lines: TextLine[] = [];
  for (const line of kept ?? []) {
    lines.push(unpackLine(line, { words: true }));
    if (slices.isOver) await slices.next();
  }
  return lines;
}
