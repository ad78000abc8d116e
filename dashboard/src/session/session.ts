import { createContext, use } from 'react';

/** Whether somebody is signed in here. */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable'; readonly message: string }
  | { readonly kind: 'out'; readonly note: string | null }
  | { readonly kind: 'in'; readonly accountId: string };

export interface Session {
  readonly state: SessionState;
  /** Looks again, after a sign-in or when the service did not answer. */
  readonly look: () => Promise<void>;
  readonly signIn: (email: string, password: string) => Promise<void>;
  readonly register: (email: string, password: string) => Promise<void>;
  readonly signOut: () => Promise<void>;
  readonly signOutEverywhere: () => Promise<void>;
}

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession() needs a SessionProvider');
  return session;
}
