import { Button, type ButtonProps, Group, Modal, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useProfiles } from '../bridge/profiles.tsx';
import { useWriteGuard } from '../bridge/use-write-guard.ts';
import { useAsked } from '../navigation/use-asked.ts';

interface ChangeDialogProps extends Pick<ButtonProps, 'color' | 'variant' | 'size'> {
  /** The button that opens the dialog. */
  readonly label: string;
  /** What it is about, where the same button stands in several lines: it is part of its name then. */
  readonly about?: string;
  /** The button that does it; says what will be done. */
  readonly act: string;
  readonly words?: ReactNode;
  /** What must be typed on a production profile: the name of what is changed. */
  readonly subject: string;
  readonly isComplete: boolean;
  readonly onOpen: () => void;
  /** Closes the dialog when it answers true. */
  readonly onAct: () => Promise<boolean>;
  /** What an address asks for with `do=` to have this dialog opened. */
  readonly asked?: string;
  /** The fields. */
  readonly children: ReactNode;
}

/** A change that needs to know something first: asks for it, and for the name of the subject on production. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { label, about, act, words, subject, isComplete, onOpen, onAct, asked, children, ...look } = props;
  const { selected } = useProfiles();
  const reason = useWriteGuard();
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const [running, setRunning] = useState(false);
  const isProduction = selected?.production === true;
  const mayAct = isComplete && reason === null && (!isProduction || typed === subject);

  const show = (): void => {
    setTyped('');
    onOpen();
    setOpened(true);
  };
  useAsked(asked, show);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!mayAct || running) return;
    setRunning(true);
    const isDone = await onAct();
    setRunning(false);
    if (isDone) setOpened(false);
  };
  return (
    <>
      <Tooltip label={reason} disabled={reason === null}>
        <Button
          {...look}
          aria-label={about === undefined ? undefined : `${label} ${about}`}
          data-disabled={reason !== null || undefined}
          aria-disabled={reason !== null}
          onClick={() => reason === null && show()}
        >
          {label}
        </Button>
      </Tooltip>
      <Modal opened={opened} onClose={() => setOpened(false)} title={label}>
        <form onSubmit={submit}>
          <Stack gap="sm">
            {words && <Text size="sm">{words}</Text>}
            {children}
            {isProduction && (
              <TextInput
                label={`This is production. Type ${subject} to go on.`}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            )}
            {reason !== null && <Text size="sm">{reason}</Text>}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setOpened(false)}>
                Cancel
              </Button>
              <Button type="submit" color={look.color} disabled={!mayAct} loading={running}>
                {act}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
