import { Alert, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import type { DetailedAccountFragment } from '../../documents.generated.ts';
import { CreateKeyDocument, type CreateKeyMutation } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ChangeDialog } from '../kit/change-dialog.tsx';
import { CopyButton } from '../kit/copy-button.tsx';
import classes from './accounts.module.css';

const FULL_ACCESS = ['ocr:write', 'ocr:read', 'usage:read'];
const SCOPES = [
  { value: 'ocr:write', label: 'ocr:write', description: 'Send documents.' },
  { value: 'ocr:read', label: 'ocr:read', description: 'Read requests and their results.' },
  { value: 'usage:read', label: 'usage:read', description: 'Read usage and balance.' },
  { value: 'operator', label: 'operator', description: 'Operate the gateway: every account, as this console does.' },
];

interface CreateKeyProps {
  readonly account: DetailedAccountFragment;
  readonly onCreated: () => void;
}

/** Makes a key and shows it once. */
export function CreateKey({ account, onCreated }: CreateKeyProps) {
  const [label, setLabel] = useState('');
  const [scopes, setScopes] = useState(FULL_ACCESS);
  const [made, setMade] = useState<CreateKeyMutation['createKey'] | null>(null);
  const { run: create } = useMutation(CreateKeyDocument, showFailure);
  const act = async (): Promise<boolean> => {
    const answer = await create({ accountId: account.id, label: label.trim() || null, scopes });
    if (answer === null) return false;
    setMade(answer.createKey);
    onCreated();
    return true;
  };
  return (
    <>
      <ChangeDialog
        label="New key"
        act="Create key"
        words={`For ${account.email}.`}
        subject={account.email}
        isComplete={scopes.length > 0}
        variant="default"
        onOpen={() => {
          setLabel('');
          setScopes(FULL_ACCESS);
        }}
        onAct={act}
      >
        <TextInput
          label="Name"
          description="For people, such as the program that will use it."
          data-autofocus
          maxLength={200}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <Checkbox.Group label="Permissions" value={scopes} onChange={setScopes}>
          <Stack gap={6} mt={4}>
            {SCOPES.map((scope) => (
              <Checkbox key={scope.value} {...scope} />
            ))}
          </Stack>
        </Checkbox.Group>
      </ChangeDialog>
      <ShownOnce made={made} onClose={() => setMade(null)} />
    </>
  );
}

interface ShownOnceProps {
  readonly made: CreateKeyMutation['createKey'] | null;
  readonly onClose: () => void;
}

/** A key as long as its dialog is open; the gateway keeps only its fingerprint. */
function ShownOnce({ made, onClose }: ShownOnceProps) {
  return (
    <Modal
      opened={made !== null}
      onClose={onClose}
      title="The new key"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="sm">
        <Alert color="yellow" variant="light">
          Copy it now: it is shown here and never again.
        </Alert>
        <Text component="code" className={classes['secret']}>
          {made?.apiKey}
        </Text>
        <Group justify="flex-end">
          <CopyButton text={made?.apiKey ?? ''} what="key" label="Copy the key" size="xs" />
          <Button onClick={onClose}>I have kept it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
