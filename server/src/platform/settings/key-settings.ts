import { join } from 'node:path';
import { z } from 'zod';

const KEY_FILE = 'secrets-key.json';

/** The value itself never stands in a message. */
const secretKey = z
  .string()
  .refine((text) => /^[\w+/-]{43}=?$/.test(text), 'must be 32 bytes in base64, as `openssl rand -base64 32` makes them')
  .optional();

/** The settings of the environment by which stored secrets are encrypted. */
export const keySettings = {
  SECRETS_KEY: secretKey.describe(
    'Key (32 bytes in base64) that encrypts stored secrets; the same in every process over one DATABASE_URL.',
  ),
  SECRETS_KEY_PREVIOUS: secretKey.describe('The key before it, until `admin secrets rotate` has ended.'),
};

/** Where the key comes from that encrypts stored secrets: the environment, a file, or nowhere (they stay plain). */
export type KeySource =
  | {
      readonly kind: 'environment';
      readonly current: Buffer;
      readonly previous: Buffer | null;
      /** A key file that may have been used before. */
      readonly file: string | null;
    }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'none' };

/** A file goes with the embedded database only: processes that share a database of their own share a setting. */
export function keySourceOf(
  settings: z.infer<z.ZodObject<typeof keySettings>>,
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | null },
): KeySource {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const file = databaseUrl === null ? join(dataDir, KEY_FILE) : null;
  if (settings.SECRETS_KEY !== undefined) {
    const previous = settings.SECRETS_KEY_PREVIOUS === undefined ? null : bytes(settings.SECRETS_KEY_PREVIOUS);
    return { kind: 'environment', current: bytes(settings.SECRETS_KEY), previous, file };
  }
  return file === null ? { kind: 'none' } : { kind: 'file', path: file };
}
