import { PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@ocr-router/ui/graphql/use-mutation.ts';
import { useState } from 'react';
import { CreateAccountDocument } from '../../documents.generated.ts';
import { showFailure } from '../graphql/use-change.ts';
import { ChangeDialog } from '../kit/change-dialog.tsx';

const NEW = { email: '', password: '', tier: 'free', history: true };
const TIERS = [
  { value: 'free', label: 'free: 60 requests a minute' },
  { value: 'pro', label: 'pro: 300 requests a minute' },
  { value: 'scale', label: 'scale: 1,200 requests a minute' },
];

/** Makes an account; its keys and its credit come afterwards. */
export function CreateAccount({ onCreated }: { readonly onCreated: (id: string) => void }) {
  const [form, setForm] = useState(NEW);
  const { run: create } = useMutation(CreateAccountDocument, showFailure);
  const email = form.email.trim();
  const act = async (): Promise<boolean> => {
    const answer = await create({ ...form, email, password: form.password || null });
    if (answer === null) return false;
    onCreated(answer.createAccount.id);
    return true;
  };
  return (
    <ChangeDialog
      label="New account"
      asked="create"
      act="Create account"
      subject={email || 'the address'}
      isComplete={/^\S+@\S+$/.test(email)}
      onOpen={() => setForm(NEW)}
      onAct={act}
    >
      <TextInput
        label="E-mail address"
        data-autofocus
        value={form.email}
        onChange={(event) => setForm({ ...form, email: event.currentTarget.value })}
      />
      <PasswordInput
        label="Password"
        description="Leave it empty for an account without a dashboard login."
        autoComplete="new-password"
        value={form.password}
        onChange={(event) => setForm({ ...form, password: event.currentTarget.value })}
      />
      <Select
        label="Tier"
        data={TIERS}
        allowDeselect={false}
        value={form.tier}
        onChange={(tier) => setForm({ ...form, tier: tier ?? 'free' })}
      />
      <Switch
        label="Keep texts of finished requests"
        checked={form.history}
        onChange={(event) => setForm({ ...form, history: event.currentTarget.checked })}
      />
    </ChangeDialog>
  );
}
