import { randomBytes } from 'node:crypto';
import { openAdmin } from '../../server/dist/admin/admin.js';
import { Secrets } from '../../server/dist/database/secrets/secrets.js';
import { makeAccount } from '../house/admin.ts';

type Admin = Awaited<ReturnType<typeof openAdmin>>;

const KEY = randomBytes(32);
/** The operator's commands come with the address of the database, so they share the key of its secrets with the product. */
export const SECRETS_KEY = KEY.toString('base64');

/** What an operator does with `npm run admin` while the service runs: the built commands, carried out in this process. */
export function adminOf(databaseUrl: string) {
  const secrets = new Secrets({ kind: 'environment', current: KEY, previous: null, file: null });
  const carryOut = async <Answer>(command: (admin: Admin) => Promise<Answer>): Promise<Answer> => {
    await using admin = await openAdmin(databaseUrl, secrets);
    return await command(admin);
  };
  return {
    makeAccount: (creditUsd: number) => carryOut((admin) => makeAccount(admin, { credit: creditUsd })),
    showAccount: (accountId: string) => carryOut((admin) => admin.showAccount(accountId)),
    doctor: () => carryOut((admin) => admin.doctor()),
  };
}
