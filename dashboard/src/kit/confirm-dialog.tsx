import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  readonly opened?: boolean;
  /** What will happen. */
  readonly children: ReactNode;
  /** The button that leaves everything as it is. */
  readonly keep: string;
  /** The button that acts. */
  readonly act: string;
  readonly acting: boolean;
  readonly onAct: () => void;
  readonly onClose: () => void;
  readonly failure: string | null;
}

/** Asks before something that cannot be taken back: the button that leaves it has the focus. */
export function ConfirmDialog({ keep, act, acting, onAct, ...dialog }: ConfirmDialogProps) {
  const buttons = (
    <>
      <Button variant="default" onClick={dialog.onClose} data-autofocus>
        {keep}
      </Button>
      <Button color="red.9" loading={acting} onClick={onAct}>
        {act}
      </Button>
    </>
  );
  return <Dialog {...dialog} buttons={buttons} />;
}
