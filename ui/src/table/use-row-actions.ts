import { useCallback, useRef } from 'react';

interface RowActions<Row> {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly onOpen: ((row: Row) => void) | undefined;
  readonly activate: (key: string) => void;
  /** Scrolls a row into view. */
  readonly show: (index: number) => void;
}

/** Opening and marking a row by its index. Both stay the same functions, so that rows are not drawn again for them. */
export function useRowActions<Row>(actions: RowActions<Row>) {
  const latest = useRef(actions);
  latest.current = actions;
  const pick = useCallback((index: number): void => {
    const { rows, rowKey, onOpen, activate } = latest.current;
    const row = rows[index];
    if (row === undefined) return;
    activate(rowKey(row));
    onOpen?.(row);
  }, []);
  const move = useCallback((index: number): void => {
    const { rows, rowKey, activate, show } = latest.current;
    const row = rows[index];
    if (row === undefined) return;
    activate(rowKey(row));
    show(index);
  }, []);
  return { pick, move };
}
