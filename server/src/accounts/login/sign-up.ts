import { requirePassword } from '../model/password.ts';
import type { AccountStore } from '../store/account-store.ts';
import type { LoginLimiter } from './login-limiter.ts';

/** People who make an account for themselves, where the operator lets them: without credit, at the lowest tier. */
export class SignUp {
  readonly #accounts: AccountStore;
  readonly #limiter: LoginLimiter;

  constructor(accounts: AccountStore, limiter: LoginLimiter) {
    this.#accounts = accounts;
    this.#limiter = limiter;
  }

  /** The new account's id. Throws 400 for an e-mail or password that will not do, 429 after too many from one address. */
  async register(email: string, password: string, address: string): Promise<string> {
    requirePassword(password);
    await this.#limiter.countSignUp(address);
    const account = await this.#accounts.create({ email: email.trim(), password });
    return account.id;
  }

  /** An account without a password, for somebody an identity provider vouches for. Throws 429 as `register` does. */
  async welcome(email: string, address: string): Promise<void> {
    await this.#limiter.countSignUp(address);
    await this.#accounts.create({ email, emailVerified: true });
  }
}
