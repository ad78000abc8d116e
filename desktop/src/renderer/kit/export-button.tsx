import { Button } from '@mantine/core';
import { csvText } from '@ocr-router/ui/format/csv.ts';
import { saveFile } from '@ocr-router/ui/kit/save-file.ts';

/** A column of a file: its name, and what stands in it. */
export interface FileColumn<Row> {
  readonly header: string;
  readonly value: (row: Row) => string | number | null;
}

interface ExportButtonProps<Row> {
  /** What is listed, as the file is called: `requests`. */
  readonly name: string;
  readonly rows: readonly Row[];
  readonly columns: ReadonlyArray<FileColumn<Row>>;
}

/** Saves the rows that a list has loaded as CSV: times in UTC, money in USD, durations in milliseconds. */
export function ExportButton<Row>({ name, rows, columns }: ExportButtonProps<Row>) {
  const save = (): void => {
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
    const lines = rows.map((row) => columns.map(({ value }) => value(row)));
    saveFile(`${name}-${stamp}.csv`, 'text/csv', csvText([columns.map(({ header }) => header), ...lines]));
  };
  return (
    <Button variant="default" size="compact-xs" disabled={rows.length === 0} onClick={save}>
      Export CSV
    </Button>
  );
}
