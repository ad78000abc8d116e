import type { Connections } from '../database/connections.ts';
import { openOrm } from '../database/orm.ts';
import type { Secrets } from '../database/secrets/secrets.ts';
import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/logging/log.ts';
import type { Slice } from '../platform/slice.ts';
import { AccountsResolver } from './accounts.resolver.ts';
import { AuditResolver } from './audit.resolver.ts';
import { AnonymousLimiter } from './callers/anonymous-limiter.ts';
import { Authenticator } from './callers/authenticate.ts';
import { type ClientAddress, clientAddress } from './callers/client-address.ts';
import { RateLimiter } from './callers/rate-limit.ts';
import { type Identity, openIdentity } from './identity.ts';
import { dashboardAddress } from './login/dashboard-address.ts';
import { LoginLimiter } from './login/login-limiter.ts';
import { SignUp } from './login/sign-up.ts';
import { LoginResolver } from './login.resolver.ts';
import { AccountList } from './store/account-list.ts';
import { AccountStore, type PurgeTexts } from './store/account-store.ts';
import { Audit } from './store/audit.ts';

const ORM_CONNECTIONS = 2;

export interface AccountsDeps {
  readonly connections: Connections;
  readonly secrets: Secrets;
  /** The classes of the tables that the ORM reads and writes. */
  readonly entities: Parameters<typeof openOrm>[1];
  readonly purgeTexts: PurgeTexts;
  readonly log: Log;
}

export interface OpenedAccounts extends Slice, AsyncDisposable {
  readonly accounts: AccountStore;
  readonly identity: Identity;
  /** Null where only the operator makes accounts. */
  readonly signUp: SignUp | null;
  readonly audit: Audit;
  readonly authenticator: Authenticator;
  readonly limiter: RateLimiter;
  readonly anonymous: AnonymousLimiter;
  readonly addressOf: ClientAddress;
}

/** Accounts, their keys and sessions, and what finds out who calls and how often. */
export async function openAccounts(config: Config, deps: AccountsDeps): Promise<OpenedAccounts> {
  const { connections, secrets, entities, purgeTexts, log } = deps;
  const { hot, reports } = connections;
  await using stack = new AsyncDisposableStack();
  const orm = stack.adopt(await openOrm(connections.url, entities, ORM_CONNECTIONS), (open) => open.close(true));
  const identity = openIdentity(hot, secrets, { settings: config.openId, log });
  const accounts = new AccountStore(orm, hot, secrets, purgeTexts);
  const signUp = config.registration ? new SignUp(accounts, new LoginLimiter(hot)) : null;
  const audit = new Audit(hot);
  const anonymous = new AnonymousLimiter(config.anonymousPerMinute);
  const opened = stack.move();
  return {
    accounts,
    identity,
    signUp,
    audit,
    anonymous,
    authenticator: new Authenticator(hot, identity.tokens, anonymous),
    limiter: new RateLimiter(hot),
    addressOf: clientAddress(config.trustedProxies),
    resolvers: [
      new LoginResolver({ ...identity, accounts, signUp, dashboard: dashboardAddress(config) }),
      new AccountsResolver(accounts, new AccountList(reports)),
      new AuditResolver(audit),
    ],
    jobs: [],
    workerJobs: [],
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
