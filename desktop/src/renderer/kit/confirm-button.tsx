import { Button, type ButtonProps, Group, Modal, Text, TextInput, Tooltip } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useProfiles } from '../bridge/profiles.tsx';
import { useWriteGuard } from '../bridge/use-write-guard.ts';
import { useAsked } from '../navigation/use-asked.ts';

interface ConfirmButtonProps extends Pick<ButtonProps, 'color' | 'variant' | 'loading' | 'size'> {
  readonly children: string;
  /** What it is about, where the same button stands in several lines: it is part of its name then. */
  readonly about?: string;
  /** What will happen, in a sentence or two. */
  readonly words: ReactNode;
  /** What must be typed on a production profile: the name of what is changed. */
  readonly subject: string;
  readonly onConfirm: () => void;
  /** What an address asks for with `do=` to have this question opened. */
  readonly asked?: string;
}

/** A button for what changes a gateway: asks first, asks for the name on production, explains why it cannot. */
export function ConfirmButton({ children, about, words, subject, onConfirm, asked, ...look }: ConfirmButtonProps) {
  const { selected } = useProfiles();
  const reason = useWriteGuard();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const mustType = selected?.production === true;
  useAsked(asked, () => setOpen(true));
  const close = (): void => {
    setOpen(false);
    setTyped('');
  };
  const confirm = (): void => {
    close();
    onConfirm();
  };
  return (
    <>
      <Tooltip label={reason} disabled={reason === null}>
        <Button
          {...look}
          aria-label={about === undefined ? undefined : `${children} ${about}`}
          data-disabled={reason !== null || undefined}
          onClick={() => reason === null && setOpen(true)}
        >
          {children}
        </Button>
      </Tooltip>
      <Modal opened={open} onClose={close} title={children}>
        <Text size="sm">{words}</Text>
        {mustType && (
          <TextInput
            mt="sm"
            data-autofocus
            label={`This is production. Type ${subject} to go on.`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button color={look.color} disabled={reason !== null || (mustType && typed !== subject)} onClick={confirm}>
            {children}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
