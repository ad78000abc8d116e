import { Button } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '../kit/panel.tsx';
import { SecretText } from '../kit/secret-text.tsx';
import { VerifyCode } from './verify-code.tsx';

/** What signs calls to URLs that are not registered. */
export function AccountSecret({ secret }: { readonly secret: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <Panel
      title="Signing secret of the account"
      actions={
        <Button variant="default" onClick={() => setShown(!isShown)} aria-expanded={isShown}>
          {isShown ? 'Hide' : 'Show'}
        </Button>
      }
    >
      <p className="kit-soft" style={{ margin: isShown ? '0 0 12px' : 0 }}>
        Calls to a webhook_url that is not registered above are signed with it.
      </p>
      {isShown && (
        <div style={{ display: 'grid', gap: 12 }}>
          <SecretText label="The account’s signing secret" text={secret} />
          <VerifyCode />
        </div>
      )}
    </Panel>
  );
}
