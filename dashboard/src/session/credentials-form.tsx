import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { refusalText } from '../http/refusal.ts';
import classes from './sign-in.module.css';

interface CredentialsFormProps {
  readonly verb: string;
  readonly isNew?: boolean;
  readonly submit: (email: string, password: string) => Promise<void>;
}

/** E-mail and password; what the service says about them stands below. */
export function CredentialsForm({ verb, isNew = false, submit }: CredentialsFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    try {
      await submit(email, password);
    } catch (error) {
      setRefusal(refusalText(error));
      setBusy(false);
    }
  }

  return (
    <form className={classes['form']} onSubmit={(event) => void send(event)}>
      <TextInput
        label="E-mail"
        type="email"
        size="sm"
        required
        withAsterisk={false}
        autoFocus
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        size="sm"
        required
        withAsterisk={false}
        description={isNew ? 'At least 10 characters' : undefined}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      {refusal && (
        <Alert color="red" variant="light" role="alert">
          {refusal}
        </Alert>
      )}
      <Button type="submit" size="sm" loading={busy} fullWidth>
        {verb}
      </Button>
    </form>
  );
}
