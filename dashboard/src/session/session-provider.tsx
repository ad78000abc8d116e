import { failureText } from '@ocr-router/ui/graphql/failure-text.ts';
import { Fragment, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Client, Provider } from 'urql';
import { LogoutEverywhereDocument, MeDocument } from '../documents.generated.ts';
import { openGraphql } from '../graphql/graphql-client.ts';
import { call, send } from '../http/call.ts';
import { type OtherTabs, openOtherTabs } from './other-tabs.ts';
import { type Session, SessionContext, type SessionState } from './session.ts';

const ENDED: SessionState = { kind: 'out', note: 'Your session has ended. Sign in again.' };

/** Who is signed in, and a GraphQL client of their own: nothing that one account saw is left for the next. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<SessionState>(() =>
    isSurelyOut() ? { kind: 'out', note: null } : { kind: 'unknown' },
  );
  const shown = useRef(state);
  shown.current = state;
  /** How often another account came after one: with it, nothing stays of what the pages have kept. */
  const [changes, setChanges] = useState(0);
  const last = useRef<string | null>(null);
  const tabs = useRef<OtherTabs | null>(null);
  /** Number of the latest look or sign-out: answers to earlier looks are dropped. */
  const looks = useRef(0);

  const show = useCallback((found: SessionState) => {
    setState(found);
    if (found.kind === 'in') {
      if (last.current !== null && last.current !== found.accountId) setChanges((count) => count + 1);
      last.current = found.accountId;
    }
    if (found.kind === 'in' || found.kind === 'out') tabs.current?.tell(accountOf(found));
  }, []);
  const open = useCallback((look: number) => {
    const onSignedOut = () => {
      if (look === looks.current) setState((old) => (old.kind === 'in' ? ENDED : old));
    };
    return openGraphql(onSignedOut);
  }, []);
  const [first] = useState<Client>(() => open(0));
  const [client, setClient] = useState<Client>(first);

  const look = useCallback(async () => {
    const number = ++looks.current;
    const fresh = open(number);
    const found = await whoIsIn(fresh);
    if (number !== looks.current) return;
    setClient(fresh);
    show(found);
  }, [open, show]);
  useEffect(() => {
    const opened = openOtherTabs((accountId) => {
      if (accountOf(shown.current) !== accountId) void look();
    });
    tabs.current = opened;
    return () => opened.close();
  }, [look]);
  useEffect(() => {
    if (isSurelyOut()) return;
    // Of the page that is loading already, by the same client.
    void whoIsIn(first).then((found) => looks.current === 0 && show(found));
  }, [first, show]);

  const session = useMemo<Session>(() => {
    const enter = (path: string) => async (email: string, password: string) => {
      await call('POST', path, { email, password });
      await look();
    };
    return {
      state,
      look,
      signIn: enter('/api/login'),
      register: enter('/api/register'),
      async signOut() {
        const { location } = await send('POST', '/api/logout');
        looks.current++;
        show({ kind: 'out', note: null });
        // The login at the provider would let the next person at this browser in without a question.
        if (location !== null) window.location.assign(location);
      },
      async signOutEverywhere() {
        const { error } = await client.mutation(LogoutEverywhereDocument, {});
        if (error) throw error;
        looks.current++;
        show({ kind: 'out', note: 'All sessions have ended, this one too.' });
      },
    };
  }, [state, look, show, client]);

  return (
    <SessionContext value={session}>
      <Provider value={client}>
        <Fragment key={changes}>{children}</Fragment>
      </Provider>
    </SessionContext>
  );
}

/** The server wrote into the page that it came without a session's cookie: asking would only be refused. */
function isSurelyOut(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content === 'none';
}

function accountOf(state: SessionState): string | null {
  return state.kind === 'in' ? state.accountId : null;
}

async function whoIsIn(client: Client): Promise<SessionState> {
  const { data, error } = await client.query(MeDocument, {});
  if (data) return { kind: 'in', accountId: data.account.id };
  if (error?.response?.status === 401) return { kind: 'out', note: null };
  return { kind: 'unreachable', message: error ? failureText(error) : 'The service did not answer.' };
}
