import { Failed } from '@ocr-router/ui/states/failed.tsx';
import type { ReactNode } from 'react';
import { useSession } from './session.ts';
import { SignInPage } from './sign-in-page.tsx';

/**
 * Shows its pages to whoever is signed in, and the way in to all others; the address stays, so that links work. Whoever has a
 * session's cookie is most likely in: the pages begin to load while that is looked up.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const { state, look } = useSession();
  if (state.kind === 'unreachable') {
    return <Failed title="The service does not answer" message={state.message} onRetry={() => void look()} />;
  }
  if (state.kind === 'out') return <SignInPage note={state.note} />;
  return children;
}
