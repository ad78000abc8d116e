import type { KeyboardEvent } from 'react';

interface RowKeys {
  readonly rowCount: number;
  /** The row that is marked, -1 for none. */
  readonly activeIndex: number;
  readonly onMove: (index: number) => void;
  readonly onOpen: (index: number) => void;
}

const PAGE_ROWS = 10;

/** Arrow keys, j and k, Home, End, Page Up and Down move through rows; Enter opens one. */
export function rowKeyHandler({ rowCount, activeIndex, onMove, onOpen }: RowKeys) {
  return (event: KeyboardEvent): void => {
    // A button in the header or in a cell keeps its own keys.
    if (event.target !== event.currentTarget || rowCount === 0) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && activeIndex >= 0) {
      event.preventDefault();
      onOpen(activeIndex);
      return;
    }
    const target = targetOf(event.key, activeIndex, rowCount);
    if (target === undefined) return;
    event.preventDefault();
    onMove(Math.min(rowCount - 1, Math.max(0, target)));
  };
}

function targetOf(key: string, index: number, rowCount: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return index + 1;
    case 'ArrowUp':
    case 'k':
      return index - 1;
    case 'PageDown':
      return index + PAGE_ROWS;
    case 'PageUp':
      return index - PAGE_ROWS;
    case 'Home':
      return 0;
    case 'End':
      return rowCount - 1;
    default:
      return undefined;
  }
}
