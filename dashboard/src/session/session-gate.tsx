import { Failed } from '@ocr-router/ui/states/failed.tsx';
import { Loading } from '@ocr-router/ui/states/loading.tsx';
import type { ReactNode } from 'react';
import { useSession } from './session.ts';
import { SignInPage } from './sign-in-page.tsx';

/** Shows its pages to whoever is signed in, and the way in to all others; the address stays, so that links work. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { state, look } = useSession();
  if (state.kind === 'unknown') return <Loading rows={3} label="Checking whether you are signed in" />;
  if (state.kind === 'unreachable') {
    return <Failed title="The service does not answer" message={state.message} onRetry={() => void look()} />;
  }
  if (state.kind === 'out') return <SignInPage note={state.note} />;
  return children;
}
