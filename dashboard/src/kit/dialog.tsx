import { Alert, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './kit.module.css';

interface DialogProps {
  readonly title: string;
  readonly opened?: boolean;
  readonly onClose: () => void;
  readonly failure?: string | null;
  readonly wide?: boolean;
  /** Its buttons, the one that acts last. */
  readonly buttons: ReactNode;
  readonly children: ReactNode;
  /** Whether only its buttons close it: what it shows is not shown again. */
  readonly mustDecide?: boolean;
}

/** A question or a form over the page. */
export function Dialog(props: DialogProps) {
  const { title, opened = true, onClose, failure, wide = false, buttons, children, mustDecide = false } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={wide ? 'lg' : 'md'}
      closeOnClickOutside={!mustDecide}
      closeOnEscape={!mustDecide}
      withCloseButton={!mustDecide}
      classNames={{ title: classes['dialogTitle'] ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={classes['dialog']}>
        {children}
        {failure && (
          <Alert color="red" variant="light" role="alert">
            {failure}
          </Alert>
        )}
        <div className={classes['dialogFoot']}>{buttons}</div>
      </div>
    </Modal>
  );
}
