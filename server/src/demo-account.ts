import { randomBytes } from 'node:crypto';
import { dashboardAddress } from './accounts/dashboard-address.ts';
import { openAdmin } from './admin/admin.ts';
import type { Config } from './config.ts';
import { openPool, query } from './database/pool.ts';
import { makeLog } from './log.ts';

const EMAIL = 'demo@localhost';
const CREDIT_USD = 10;

/** A picture of a word that any engine can read, for a first call that needs no file. */
import { PROBE_PICTURE } from './monitoring/probe-documents.ts';

/** On the very first start: a demo account with credit, its login, and its key with a call that works as it stands. */
export async function welcome(config: Config, databaseUrl: string): Promise<void> {
  if (!config.demoAccount || !(await isEmpty(databaseUrl))) return;
  await using admin = await openAdmin(databaseUrl);
  // Where an outside provider knows the people, nobody logs in by password.
  const password = config.openId ? null : randomBytes(12).toString('base64url');
  const { account_id } = await admin.createAccount({
    email: EMAIL,
    creditUsd: CREDIT_USD,
    ...(password !== null && { password }),
  });
  const { api_key } = await admin.createKey({ accountId: account_id, label: 'demo' });
  process.stdout.write(greeting(`http://${config.host}:${config.port}`, api_key));
  if (password !== null) process.stdout.write(invitation(dashboardAddress(config), password));
}

async function isEmpty(databaseUrl: string): Promise<boolean> {
  const pool = openPool(databaseUrl, { max: 1, log: makeLog('silent') });
  try {
    const rows = await query(pool, { name: 'any-account', text: 'select 1 from account limit 1' }, []);
    return rows.length === 0;
  } finally {
    await pool.end();
  }
}

function greeting(baseUrl: string, apiKey: string): string {
  return `
A demo account was made, with ${CREDIT_USD} USD of credit. Its key is shown this once:

  ${apiKey}

Read a first picture:

  curl -s ${baseUrl}/v1/ocr \\
    -H 'Authorization: Bearer ${apiKey}' \\
    -H 'Idempotency-Key: first' -H 'Content-Type: application/json' \\
    -d '{"engine":"tesseract","input":{"type":"base64","data_base64":"${PROBE_PICTURE.toString('base64')}"}}'

Read a file of your own (a picture or a PDF, up to 7.8 MB):

  printf '{"engine":"tesseract","page_count":1,"input":{"type":"base64","data_base64":"%s"}}' "$(base64 -w0 FILE)" |
    curl -s ${baseUrl}/v1/ocr -H 'Authorization: Bearer ${apiKey}' \\
      -H "Idempotency-Key: $(date +%s)" -H 'Content-Type: application/json' -d @-

The API reference is at ${baseUrl}/docs.

`;
}

function invitation(dashboard: URL, password: string): string {
  return `The dashboard is at ${dashboard.href}. Sign in there; the password is shown this once:

  ${EMAIL}
  ${password}

`;
}
