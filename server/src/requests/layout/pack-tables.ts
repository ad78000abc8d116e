import { cleanText } from '../../database/storable.ts';
import { packQuad } from '../../documents/positions/pack-lines.ts';
import type { LayoutTable } from '../../engines/model/page-layout.ts';
import type { PackedTable } from './stored-layout.ts';

/** Of a page. More than any sheet holds: what an engine answers is bounded. */
const MOST_TABLES = 200;
const MOST_CHARACTERS = 1_000_000;

/** Tables whose boxes are fractions of the shown page, as they are stored; null where there are none, or far too many. */
export function packTables(tables: readonly LayoutTable[]): PackedTable[] | null {
  const characters = tables.reduce((sum, { cells }) => cells.reduce((all, { text }) => all + text.length, sum), 0);
  if (tables.length === 0 || tables.length > MOST_TABLES || characters > MOST_CHARACTERS) return null;
  return tables.map(({ rows, columns, box, cells }) => [
    rows,
    columns,
    box && packQuad(box),
    cells.map(({ row, column, rowSpan, columnSpan, text, header }) => {
      return [row, column, rowSpan, columnSpan, cleanText(text), header ? 1 : 0];
    }),
  ]);
}
