import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { type FormEvent, useState } from 'react';
import { CreateKeyDocument } from '../documents.generated.ts';
import { Dialog } from '../kit/dialog.tsx';
import { MadeKey } from './made-key.tsx';

const SCOPES = [
  { value: 'ocr:write', label: 'Send documents', description: 'ocr:write' },
  { value: 'ocr:read', label: 'Read results', description: 'ocr:read' },
  { value: 'usage:read', label: 'Read usage and balance', description: 'usage:read' },
] as const;
const ALL: readonly string[] = SCOPES.map(({ value }) => value);

interface NewKeyProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onMade: () => void;
}

/** Makes a key, and shows it this once. */
export function NewKey({ opened, onClose, onMade }: NewKeyProps) {
  const [label, setLabel] = useState('');
  const [scopes, setScopes] = useState<string[]>([...ALL]);
  const [apiKey, setApiKey] = useState<string | null>(null);
  const { run, running, failure, forget } = useMutation(CreateKeyDocument);

  const close = (): void => {
    setLabel('');
    setScopes([...ALL]);
    setApiKey(null);
    forget();
    onClose();
  };
  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const made = await run({ label: label.trim() || null, scopes });
    if (!made) return;
    setApiKey(made.createKey.apiKey);
    onMade();
  };

  if (apiKey !== null) {
    return <MadeKey apiKey={apiKey} canWrite={scopes.includes('ocr:write')} opened={opened} onClose={close} />;
  }
  const buttons = (
    <>
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      <Button type="submit" form="new-key" loading={running} disabled={scopes.length === 0}>
        Create key
      </Button>
    </>
  );
  return (
    <Dialog title="New key" opened={opened} onClose={close} failure={failure} buttons={buttons}>
      <form id="new-key" onSubmit={(event) => void make(event)} style={{ display: 'grid', gap: 14 }}>
        <TextInput
          label="Name"
          placeholder="invoices, production"
          description="For you to tell keys apart; callers never see it."
          maxLength={200}
          value={label}
          onChange={(event) => setLabel(event.currentTarget.value)}
          data-autofocus
        />
        <Checkbox.Group label="Permissions" value={scopes} onChange={setScopes}>
          <div style={{ display: 'grid', gap: 8, marginTop: 6 }}>
            {SCOPES.map((scope) => (
              <Checkbox key={scope.value} {...scope} />
            ))}
          </div>
        </Checkbox.Group>
      </form>
    </Dialog>
  );
}
