import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { SecretText } from '../kit/secret-text.tsx';
import { VerifyCode } from './verify-code.tsx';

interface ShownSecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A signing secret, once, with the code that checks signatures. */
export function ShownSecret({ title, secret, onClose, children }: ShownSecretProps) {
  return (
    <Dialog title={title} wide mustDecide onClose={onClose} buttons={<Button onClick={onClose}>I have kept it</Button>}>
      <p>Copy it now: it is not shown again. Your receiver checks with it that a call comes from here.</p>
      {children}
      <SecretText label="The secret" text={secret} />
      <VerifyCode />
    </Dialog>
  );
}
