import type { IncomingMessage } from 'node:http';
import { sessionCaller } from '../../accounts/login/session-caller.ts';
import { readSessionCookie } from '../../accounts/login/session-cookie.ts';
import type { Sessions } from '../../accounts/login/sessions.ts';
import type { Visitor } from '../../graphql/sockets/socket-visitor.ts';
import { isFromDashboard, placeOf } from './place.ts';

/** The visitor of a socket at the dashboard's address: the session of the cookie. Null for a page of another origin. */
export function dashboardVisitor(
  req: IncomingMessage,
  { sessions, dashboardUrl }: { sessions: Sessions; dashboardUrl: URL | null },
): Visitor | null {
  if (!isFromDashboard(req, dashboardUrl)) return null;
  const secret = readSessionCookie(req.headers.cookie, placeOf(req, dashboardUrl).cookies);
  return {
    credentials: () => secret,
    callerOf: async (credentials) => {
      const session = await sessions.bySecret(credentials);
      return session && sessionCaller(session, 'session');
    },
  };
}
