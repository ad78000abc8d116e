import { randomBytes } from 'node:crypto';
import { type Pool, query } from '../../database/pool.ts';
import { AppError } from '../../platform/errors.ts';
import { hashPassword, verifyPassword } from '../model/password.ts';
import type { LoginLimiter } from './login-limiter.ts';

const FIND = {
  name: 'account-by-email',
  text: 'select id, password_hash from account where lower(email) = lower($1)',
};

/** E-mail and password against the accounts of this gateway. */
export class PasswordLogin {
  readonly #pool: Pool;
  readonly #limiter: LoginLimiter;
  #decoy: Promise<string> | null = null;

  constructor(pool: Pool, limiter: LoginLimiter) {
    this.#pool = pool;
    this.#limiter = limiter;
  }

  /** The account's id. Throws 401 for a wrong e-mail or password, 429 after too many of them. */
  async check(email: string, password: string, address: string): Promise<string> {
    const attempt = await this.#limiter.begin(email, address);
    const account = email.includes('\0') ? null : await this.#find(email);
    // An e-mail that nobody has, or an account without a password, takes as long as a wrong password.
    const stored = account?.password_hash ?? (await this.#decoyHash());
    const isRight = await verifyPassword(password, stored);
    if (!account?.password_hash || !isRight) {
      throw new AppError('authentication_error', 'The e-mail or the password is wrong.');
    }
    await attempt.succeeded();
    return account.id;
  }

  async #find(email: string): Promise<{ id: string; password_hash: string | null } | null> {
    const [row] = await query<{ id: string; password_hash: string | null }>(this.#pool, FIND, [email.trim()]);
    return row ?? null;
  }

  #decoyHash(): Promise<string> {
    this.#decoy ??= hashPassword(randomBytes(16).toString('hex'));
    return this.#decoy;
  }
}
