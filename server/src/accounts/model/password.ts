import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts';
import { AppError } from '../../platform/errors.ts';

const SHORTEST = 10;
const LONGEST = 200;

/** What new hashes cost: 32 MB and about a tenth of a second. Older hashes carry their own parameters. */
const PARAMETERS = { N: 32_768, r: 8, p: 3 };
const MAX_MEMORY = 128 * 1024 * 1024;
const HASH_BYTES = 32;

/** A flood of logins must not take the threads that everything else of the process needs. */
const gate = new FairSemaphore(2);

/** Throws 400 for a password that is too easily guessed, or no password at all but a text. */
export function requirePassword(password: string): void {
  if (password.length >= SHORTEST && password.length <= LONGEST) return;
  throw new AppError('invalid_request', `password: must have ${SHORTEST} to ${LONGEST} characters.`);
}

/** The password as `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const { N, r, p } = PARAMETERS;
  const salt = randomBytes(16);
  const hash = await derive(password, salt, PARAMETERS);
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Whether the password is the one of a stored hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  if (scheme !== 'scrypt' || !salt || !hash) throw new Error('a stored password has an unknown form');
  const expected = Buffer.from(hash, 'base64');
  const given = await derive(password, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) });
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  const permit = await gate.acquire(new AbortController().signal);
  try {
    // One spelling of what people type as the same: keyboards differ in how they compose characters.
    const text = password.normalize('NFKC');
    return await new Promise<Buffer>((resolve, reject) => {
      scrypt(text, salt, HASH_BYTES, { ...cost, maxmem: MAX_MEMORY }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  } finally {
    permit.release();
  }
}
