import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { count, plural } from '@ocr-router/ui/format/count.ts';
import { csvText } from '@ocr-router/ui/format/csv.ts';
import { saveFile } from '@ocr-router/ui/kit/save-file.ts';
import { useEffect, useRef, useState } from 'react';
import { type PageReader, readAll } from '../graphql/read-all.ts';

/** A column of a file: its name, and what stands in it. */
export interface FileColumn<Row> {
  readonly header: string;
  readonly value: (row: Row) => string | number | null;
}

export interface ExportButtonProps<Row> {
  /** What is listed, as the file is called: `requests`. */
  readonly name: string;
  /** All rows, where the list has them all; else what reads them page after page, by the filter of this moment. */
  readonly from: readonly Row[] | (() => PageReader<Row>);
  readonly columns: ReadonlyArray<FileColumn<Row>>;
  readonly disabled?: boolean;
}

/** Rows of one file: they are held in memory until it is saved, and each hundred is a call. */
const MOST_ROWS = 50_000;

/** Saves all that a list finds as CSV, not what it has loaded: times in UTC, money in USD, durations in milliseconds. */
export function ExportButton<Row>({ name, from, columns, disabled = false }: ExportButtonProps<Row>) {
  const [read, setRead] = useState<number | null>(null);
  const reading = useRef<AbortController | null>(null);
  useEffect(() => () => reading.current?.abort(), []);

  const save = async (): Promise<void> => {
    if (typeof from !== 'function') return saveRows(name, columns, from);
    const stop = new AbortController();
    reading.current = stop;
    setRead(0);
    try {
      const all = await readAll(from(), { most: MOST_ROWS, signal: stop.signal, onRead: setRead });
      if (all === null) return;
      saveRows(name, columns, all.rows);
      notifications.show({ message: savedWords(all.rows.length, all.isCut), autoClose: all.isCut ? false : 4000 });
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : 'The gateway sent no answer.';
      notifications.show({ color: 'red', title: 'Nothing was saved', message });
    } finally {
      if (!stop.signal.aborted) setRead(null);
    }
  };
  if (read === null) {
    return (
      <Button variant="default" size="compact-xs" disabled={disabled} onClick={() => void save()}>
        Export CSV
      </Button>
    );
  }
  const end = (): void => {
    reading.current?.abort();
    setRead(null);
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <span className="kit-soft">{plural(read, 'row')} read</span>
      <Button variant="default" size="compact-xs" onClick={end}>
        Stop export
      </Button>
    </Group>
  );
}

function saveRows<Row>(name: string, columns: ReadonlyArray<FileColumn<Row>>, rows: readonly Row[]): void {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const lines = rows.map((row) => columns.map(({ value }) => value(row)));
  saveFile(`${name}-${stamp}.csv`, 'text/csv', csvText([columns.map(({ header }) => header), ...lines]));
}

function savedWords(rows: number, isCut: boolean): string {
  const saved = `${count(rows)} ${rows === 1 ? 'row was' : 'rows were'} saved`;
  return isCut ? `${saved}: there are more than one file takes. Narrow the list to save the others.` : `${saved}.`;
}
