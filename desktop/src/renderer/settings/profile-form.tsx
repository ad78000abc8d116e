import { Button, ColorInput, Group, Modal, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Profile } from '../../shared/channels.ts';
import type { ProfileInput } from '../../shared/profile.ts';
import { bridge } from '../bridge/bridge.ts';
import { forgetSnapshots } from '../graphql/snapshots.ts';
import { profileFaults } from './profile-faults.ts';

const COLOURS = ['#3a5fb6', '#1a7f37', '#8a5a00', '#6f42c1', '#0f766e', '#a1305f', '#5c6570'];
const NEW: ProfileInput = {
  name: '',
  url: 'http://127.0.0.1:8080',
  colour: '#3a5fb6',
  readOnly: false,
  production: false,
};

interface ProfileFormProps {
  /** Null for a new one. */
  readonly profile: Profile | null;
  readonly onClose: () => void;
  readonly onSaved: (profile: Profile) => void;
}

/** A gateway's address, its look, and the operator's key, which goes to the shell and does not come back. */
export function ProfileForm({ profile, onClose, onSaved }: ProfileFormProps) {
  const [form, setForm] = useState<ProfileInput>(() => inputOf(profile));
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const keepsToken = profile?.hasToken === true && form.url === profile.url;
  const faults = profileFaults({ ...form, token }, keepsToken);
  const set = (part: Partial<ProfileInput>): void => setForm({ ...form, ...part });
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    try {
      const input = { ...form, name: form.name.trim(), url: form.url.trim() };
      const saved = await bridge.invoke('profiles.save', token === '' ? input : { ...input, token: token.trim() });
      // What another key was answered is none of this one's.
      if (token !== '' || input.url !== profile?.url) await forgetSnapshots(saved.id).catch(() => {});
      onSaved(saved);
    } catch (error) {
      setFailure((error as Error).message); // the bridge rejects with errors only
    }
  };
  return (
    <Modal opened onClose={onClose} title={profile === null ? 'Add a gateway' : `Edit ${profile.name}`}>
      <form onSubmit={save}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            data-autofocus
            error={tried && faults.name}
            value={form.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Address of its API"
            description="Without /graphql."
            error={tried && faults.url}
            value={form.url}
            onChange={(event) => set({ url: event.currentTarget.value })}
          />
          <PasswordInput
            label="Operator’s key"
            description={
              keepsToken
                ? 'Leave it empty to keep the current one.'
                : 'Create one: npm run -s admin -- key create --scopes operator'
            }
            autoComplete="off"
            error={tried && faults.token}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
          />
          <LookFields form={form} fault={tried ? faults.colour : undefined} set={set} />
          {failure !== null && (
            <Text size="sm" c="red" role="alert">
              {failure}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Save</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface LookFieldsProps {
  readonly form: ProfileInput;
  readonly fault: string | undefined;
  readonly set: (part: Partial<ProfileInput>) => void;
}

/** Its colour, and what it may be used for. */
function LookFields({ form, fault, set }: LookFieldsProps) {
  return (
    <>
      <ColorInput
        label="Colour"
        size="xs"
        description={form.production ? 'Production is always red.' : undefined}
        format="hex"
        swatches={COLOURS}
        withPicker={false}
        withEyeDropper={false}
        disabled={form.production}
        error={fault}
        value={form.colour}
        onChange={(colour) => set({ colour })}
      />
      <Switch
        label="Production: marked PROD, and changes ask for a name to be typed"
        checked={form.production}
        onChange={(event) => set({ production: event.currentTarget.checked })}
      />
      <Switch
        label="Read-only: nothing can be changed from here"
        checked={form.readOnly}
        onChange={(event) => set({ readOnly: event.currentTarget.checked })}
      />
    </>
  );
}

function inputOf(profile: Profile | null): ProfileInput {
  if (profile === null) return NEW;
  const { id, name, url, colour, readOnly, production } = profile;
  return { id, name, url, colour, readOnly, production };
}
