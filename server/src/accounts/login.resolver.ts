import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { AppError } from '../platform/errors.ts';
import { managedAccount } from './callers/account-scope.ts';
import { requireScope, requireSession } from './callers/caller.ts';
import type { Context } from './callers/context.ts';
import { CreatedSession } from './login/created-session.type.ts';
import { EndedSession } from './login/ended-session.type.ts';
import { Front } from './login/front.type.ts';
import { Login } from './login/login.type.ts';
import { type LoginEndpoint, requireBrowser } from './login/login-endpoint.ts';
import type { PasswordLogin } from './login/password-login.ts';
import { Session } from './login/session.ts';
import { cookieRules, sessionCookieName } from './login/session-cookie.ts';
import type { Sessions } from './login/sessions.ts';
import type { SignUp } from './login/sign-up.ts';
import type { SigningKeys } from './login/signing-keys.ts';
import { type Jwk, JwkSet } from './openid/jwk.type.ts';
import type { OpenIdLogin } from './openid/openid-login.ts';
import type { AccountStore } from './store/account-store.ts';

export interface LoginDeps {
  readonly sessions: Sessions;
  readonly loginEndpoint: LoginEndpoint;
  readonly keys: SigningKeys;
  /** Null where an outside identity provider knows the people. */
  readonly passwords: PasswordLogin | null;
  readonly openId: OpenIdLogin | null;
  readonly accounts: AccountStore;
  /** Null where only the operator makes accounts. */
  readonly signUp: SignUp | null;
  /** Where the dashboard is: its cookies have their name by it. */
  readonly dashboard: URL;
}

@Resolver()
export class LoginResolver {
  constructor(private readonly deps: LoginDeps) {}

  @Query(() => JwkSet, { description: 'The public keys that verify session tokens.' })
  async jwks(): Promise<JwkSet> {
    const keys = await this.deps.keys.all();
    return { keys: keys.map(({ publicJwk }) => publicJwk as Jwk) }; // an EC key has all of them
  }

  @Query(() => [Session], { description: 'The account’s open sessions, newest first. Needs a login.' })
  async sessions(@Ctx() { caller }: Context): Promise<Session[]> {
    const { accountId, sessionId } = requireSession(caller);
    const open = await this.deps.sessions.list(accountId);
    return open.map((session) => ({ ...session, current: session.id === sessionId }));
  }

  @Mutation(() => Login, { description: 'Logs the browser in by e-mail and password.' })
  async login(
    @Arg('email', () => String, { description: 'E-mail address of the account.' }) email: string,
    @Arg('password', () => String, { description: 'Its password.' }) password: string,
    @Ctx() context: Context,
  ): Promise<Login> {
    const browser = requireBrowser(context.browser);
    if (!this.deps.passwords) throw new AppError('not_found', 'Log in with your organisation’s identity provider.');
    return this.deps.loginEndpoint.enter(await this.deps.passwords.check(email, password, browser.address), browser);
  }

  @Query(() => Front, { description: 'How people get into the dashboard.' })
  front(): Front {
    const { passwords, openId, signUp } = this.deps;
    const outside = openId ? 'openid' : 'none';
    return { login: passwords ? 'password' : outside, registration: signUp !== null };
  }

  @Mutation(() => Login, { description: 'Makes an account, where the operator allows it, and logs the browser in.' })
  async register(
    @Arg('email', () => String, { description: 'E-mail address, unique.' }) email: string,
    @Arg('password', () => String, { description: 'A new password, 10 to 200 characters.' }) password: string,
    @Ctx() context: Context,
  ): Promise<Login> {
    const browser = requireBrowser(context.browser);
    const { signUp, passwords, loginEndpoint } = this.deps;
    if (!signUp) throw new AppError('not_found', 'Accounts are made by the operator of this service.');
    if (!passwords) throw new AppError('not_found', 'Accounts are made by the first login at your identity provider.');
    return loginEndpoint.enter(await signUp.register(email, password, browser.address), browser);
  }

  @Mutation(() => CreatedSession, {
    description: 'Opens a session of an account without its password; operators only.',
  })
  async createSession(
    @Arg('accountId', () => ID, { description: 'Account id.' }) accountId: string,
    @Ctx() { caller }: Context,
  ): Promise<CreatedSession> {
    requireScope(caller, 'operator');
    const { accounts, loginEndpoint, dashboard } = this.deps;
    const account = await accounts.find(managedAccount(caller, accountId));
    const { secret, ...session } = await loginEndpoint.open(account.id);
    return { ...session, cookie: `${sessionCookieName(cookieRules(dashboard))}=${secret}` };
  }

  @Mutation(() => Boolean, { description: 'Ends the browser’s session. Without one it does nothing.' })
  async logout(@Ctx() context: Context): Promise<boolean> {
    await this.deps.loginEndpoint.leave(requireBrowser(context.browser));
    return true;
  }

  @Mutation(() => EndedSession, {
    description:
      'Ends the browser’s session, and tells where a login at an identity provider ends. Without one it does nothing.',
  })
  async endSession(@Ctx() context: Context): Promise<EndedSession> {
    const browser = requireBrowser(context.browser);
    const login = await this.deps.loginEndpoint.leave(browser);
    const url = login && (await this.deps.openId?.logoutUrl(login, browser.home));
    return { providerUrl: url?.href ?? null };
  }

  @Mutation(() => Boolean, { description: 'Ends every session of the account, this one too. Needs a login.' })
  async logoutEverywhere(@Ctx() context: Context): Promise<boolean> {
    await this.deps.sessions.revokeAll(requireSession(context.caller).accountId);
    requireBrowser(context.browser).forget();
    return true;
  }

  @Mutation(() => Boolean, { description: 'Ends one session of the account. Needs a login.' })
  async revokeSession(
    @Arg('id', () => ID, { description: 'Session id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<boolean> {
    await this.deps.sessions.revoke(requireSession(caller).accountId, id);
    return true;
  }

  @Mutation(() => String, { description: 'A new session token for the playground, for an hour. Needs a login.' })
  renewSessionToken(@Ctx() context: Context): Promise<string> {
    requireSession(context.caller);
    return this.deps.loginEndpoint.renewToken(requireBrowser(context.browser));
  }
}
