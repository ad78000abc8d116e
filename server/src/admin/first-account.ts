import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dashboardAddress } from '../accounts/login/dashboard-address.ts';
import { Secrets } from '../database/secrets/secrets.ts';
import { exclusively } from '../database/sessions/exclusively.ts';
import { onOwnClient } from '../database/sessions/own-client.ts';
import { PROBE_PICTURE } from '../monitoring/probes/probe-documents.ts';
import type { Config } from '../platform/config.ts';
import { makeFolderNow } from '../platform/files/make-folder.ts';
import { localUrl } from '../platform/local-url.ts';
import { isKept } from '../platform/logging/kept-output.ts';
import type { Log } from '../platform/logging/log.ts';
import { SettingError } from '../platform/settings/setting-error.ts';
import { openAdmin } from './admin.ts';

const EMAIL = 'demo@localhost';
const CREDIT_USD = 10;
const FILE = 'first-start.txt';
const LOOK_LIMIT_MS = 30_000;

/** Whether there is no account yet, and one is to be made. */
export async function isFirstStart(config: Config, databaseUrl: string): Promise<boolean> {
  if (!config.demoAccount) return false;
  const limits = { connectionTimeoutMillis: LOOK_LIMIT_MS, query_timeout: LOOK_LIMIT_MS };
  return onOwnClient({ connectionString: databaseUrl, ...limits }, async (client) => {
    return (await client.query('select 1 from account limit 1')).rowCount === 0;
  });
}

/**
 * On the very first start: makes a demo account with credit, its login and its key. What it gives prints them, with a call
 * that works as it stands, and has to be called whatever becomes of the start: the key cannot be shown again.
 */
export async function makeFirstAccount(config: Config, databaseUrl: string, log: Log): Promise<() => void> {
  if (!config.demoAccount) return nothing;
  return exclusively(databaseUrl, 'first account', log, async (look) => {
    const accounts = await look('select 1 from account limit 1');
    return accounts.length === 0 ? make(config, databaseUrl, log) : nothing;
  });
}

async function make(config: Config, databaseUrl: string, log: Log): Promise<() => void> {
  const show = openShow(config, log);
  await using admin = await openAdmin(databaseUrl, new Secrets(config.secretsKey));
  // Where an outside provider knows the people, nobody logs in by password.
  const password = config.openId ? null : randomBytes(12).toString('base64url');
  const { account_id } = await admin.createAccount({
    email: EMAIL,
    creditUsd: CREDIT_USD,
    ...(password !== null && { password }),
  });
  const { api_key } = await admin.createKey({ accountId: account_id, label: 'demo' });
  const login = password === null ? '' : invitation(dashboardAddress(config), password);
  const text = greeting(localUrl(config.host, config.port), api_key) + login;
  return () => show(text);
}

/**
 * What is written to the journal or to a container's log stays there: then a file of the operator's alone has it, which is made
 * before there is something to show. Throws `SettingError` where it cannot be.
 */
function openShow({ dataDir, journalStream }: Config, log: Log): (text: string) => void {
  if (process.stdout.isTTY || !isKept({ output: process.stdout.fd, journalStream })) {
    return (text) => void process.stdout.write(text);
  }
  const path = join(dataDir, FILE);
  makeFile(path);
  return (text) => {
    writeFileSync(path, text);
    log.warn({ path }, 'a demo account was made; its key and password are in this file: read it, then remove it');
  };
}

function makeFile(path: string): void {
  try {
    makeFolderNow(dirname(path));
    rmSync(path, { force: true }); // of an earlier database; a file that was open to others would stay so
    writeFileSync(path, '', { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const advice = 'Choose another folder, or set DEMO_ACCOUNT=false and make an account with `ocr-router admin`.';
    throw new SettingError(
      `DATA_DIR: ${FILE}, for the key of the demo account, cannot be written: ${(cause as Error).message}. ${advice}`,
      { cause },
    );
  }
}

function nothing(): void {}

/** With a picture of a word that any engine can read, so that the first call needs no file. */
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

  printf '{"engine":"tesseract","page_count":1,"input":{"type":"base64","data_base64":"%s"}}' "$(base64 < FILE | tr -d '\\n')" |
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
