import { AppError } from '../../platform/errors.ts';
import { type PageTable, pageTables } from '../layout/page-tables.ts';
import type { ReadPage } from './read-page.ts';

const LINE_END = '\r\n';

/** The tables of pages as CSV (RFC 4180), an empty line between two. A cell that spans others stands in the first of them. */
export async function* csv(pages: AsyncIterable<ReadPage>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const page of pages) {
    for (const table of await tablesOf(page)) {
      yield isFirst ? tableText(table) : LINE_END + tableText(table);
      isFirst = false;
    }
  }
}

/** One table of the page that is asked for, counted from 1. Throws 400 where the page does not have it. */
export async function* csvTable(pages: AsyncIterable<ReadPage>, wanted: number): AsyncGenerator<string> {
  for await (const page of pages) {
    const tables = await tablesOf(page);
    const table = tables[wanted - 1];
    if (!table) {
      throw new AppError('invalid_request', `table: page ${page.page} has ${tables.length} tables, and no ${wanted}.`);
    }
    yield tableText(table);
  }
}

async function tablesOf({ text, tables }: ReadPage): Promise<PageTable[]> {
  return text === null ? [] : pageTables(text, tables, '');
}

function tableText({ rows, columns, cells }: PageTable): string {
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ''));
  for (const { row, column, text } of cells) {
    const line = grid[row - 1];
    if (line) line[column - 1] = text;
  }
  return grid.map((line) => line.map(field).join(',') + LINE_END).join('');
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
