import { SegmentedControl } from '@mantine/core';
import type { RequestRowFragment } from '../../documents.generated.ts';
import { ExportButton, type ExportButtonProps } from '../kit/export-button.tsx';
import { useSearchParam } from '../navigation/use-search-param.ts';
import { REQUEST_FILE } from './request-file.ts';
import classes from './requests.module.css';

const ORDERS = [
  { value: 'newest', label: 'Newest first' },
  { value: 'slowest', label: 'Slowest first' },
];

interface ListBarProps {
  readonly exported: ExportButtonProps<RequestRowFragment>['from'];
  /** How many there are, and among which. */
  readonly words: string;
}

/** In which order requests are listed, and the list as a file. */
export function ListBar({ exported, words }: ListBarProps) {
  const [order, setOrder] = useSearchParam('order');
  return (
    <div className={classes['listBar']}>
      <SegmentedControl
        size="xs"
        aria-label="Order"
        data={ORDERS}
        value={order === 'slowest' ? 'slowest' : 'newest'}
        onChange={(next) => setOrder(next === 'slowest' ? next : null)}
      />
      <span className={`${classes['listWords']} kit-soft`}>{words}</span>
      <ExportButton name="requests" from={exported} columns={REQUEST_FILE} />
    </div>
  );
}
