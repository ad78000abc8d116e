import { Alert, Anchor, Text } from '@mantine/core';
import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../http/call.ts';
import { useLoaded } from '../http/use-loaded.ts';
import { Brand } from '../kit/brand.tsx';
import { useTitle } from '../kit/use-title.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { useSession } from './session.ts';
import classes from './sign-in.module.css';

/** How people get in: told to everybody. */
interface Front {
  readonly login: 'password' | 'openid' | 'none';
  readonly registration: boolean;
}

/** The way in: by password or the organisation's provider, and to an account of one's own where that is allowed. */
export function SignInPage({ note }: { readonly note: string | null }) {
  useTitle('Sign in');
  const { loaded, error, reload } = useLoaded(readFront);
  return (
    <main className={classes['place']}>
      <div className={classes['card']}>
        <Brand />
        {note && (
          <Alert variant="light" role="status">
            {note}
          </Alert>
        )}
        {loaded && <Ways front={loaded} />}
        {!loaded && error !== null && <Failed title="The service does not answer" message={error} onRetry={reload} />}
        {!loaded && error === null && <Loading rows={3} />}
      </div>
      <Anchor component={Link} href="/status" size="sm">
        Status of the service
      </Anchor>
    </main>
  );
}

function Ways({ front }: { readonly front: Front }) {
  const { signIn, register } = useSession();
  const [isNew, setNew] = useState(false);
  if (front.login === 'openid') {
    return (
      <>
        <h1 className={classes['title']}>Sign in</h1>
        <a className={classes['provider']} href="/api/login/start">
          Sign in with your organisation
        </a>
        {front.registration && <Text size="sm">Your first sign-in creates your account.</Text>}
      </>
    );
  }
  if (front.login === 'none') {
    return <Failed title="Nobody can sign in here" message="The operator has not set up a login for this dashboard." />;
  }
  return (
    <>
      <h1 className={classes['title']}>{isNew ? 'Create an account' : 'Sign in'}</h1>
      {isNew ? (
        <CredentialsForm key="new" isNew verb="Create account" submit={register} />
      ) : (
        <CredentialsForm key="known" verb="Sign in" submit={signIn} />
      )}
      {front.registration && (
        <Anchor component="button" type="button" size="sm" onClick={() => setNew(!isNew)}>
          {isNew ? 'Have an account? Sign in' : 'No account yet? Create one'}
        </Anchor>
      )}
    </>
  );
}

function readFront(): Promise<Front> {
  return call<Front>('GET', '/api/front');
}
