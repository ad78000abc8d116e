import { Alert, Button, Code, Group, Modal, Stack } from '@mantine/core';
import { CopyButton } from '../kit/copy-button.tsx';

/** A signing secret, which the gateway hands out this once; null: nothing is shown. */
export function ShownOnce({ secret, onClose }: { readonly secret: string | null; readonly onClose: () => void }) {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title="The channel’s signing secret"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="sm">
        <Alert color="yellow" variant="light">
          The receiver checks signatures with it. Copy it now: it is shown here and never again.
        </Alert>
        <Code block>{secret}</Code>
        <Group justify="flex-end">
          <CopyButton text={secret ?? ''} what="secret" label="Copy the secret" size="xs" />
          <Button onClick={onClose}>I have kept it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
