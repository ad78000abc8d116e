import { Alert, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { checkSignature, type ReceivedCall } from './check-signature.ts';

const NOTHING: ReceivedCall = { id: '', timestamp: '', signature: '', body: '', secret: '' };

/** Fields for a call as a receiver has got it, and what its signature is worth. `known`: what is known of the call. */
export function SignatureCheck({ known = {} }: { readonly known?: Partial<ReceivedCall> }) {
  const [call, setCall] = useState<ReceivedCall>({ ...NOTHING, ...known });
  const isBegun = call.secret !== '' && call.signature !== '';
  const field = (name: keyof ReceivedCall) => ({
    value: call[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setCall((old) => ({ ...old, [name]: value }));
    },
  });
  return (
    <div style={{ display: 'grid', gap: 12 }}>
      <p className="kit-soft" style={{ margin: 0 }}>
        What your receiver got, exactly as it came. It is checked in this browser; nothing is sent.
      </p>
      <PasswordInput
        label="Secret"
        description="of the webhook, or of the account where its URL is not registered"
        {...field('secret')}
      />
      <TextInput label="webhook-id" {...field('id')} />
      <TextInput label="webhook-timestamp" {...field('timestamp')} />
      <TextInput label="webhook-signature" placeholder="v1,…" {...field('signature')} />
      <Textarea label="Body" autosize minRows={3} maxRows={12} {...field('body')} />
      {isBegun && <Verdict call={call} />}
    </div>
  );
}

function Verdict({ call }: { readonly call: ReceivedCall }) {
  const { isRight, words, expected } = checkSignature(call, Date.now());
  return (
    <Alert color={isRight ? 'green' : 'red'} variant="light" role="status">
      {words.map((sentence) => (
        <p key={sentence} style={{ margin: 0 }}>
          {sentence}
        </p>
      ))}
      {!isRight && expected !== null && (
        <p style={{ margin: '6px 0 0' }}>
          With this secret it would be <code>{expected}</code>
        </p>
      )}
    </Alert>
  );
}
