import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { verifyWebhook } from '@ocr-router/client';
import { expect, it } from 'vitest';
import { LANGUAGES, SOURCE } from './languages.ts';

interface Delivery {
  readonly secret: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A delivery that is signed with whatever a lenient receiver makes of the secret. */
function delivery(secret: string): Delivery {
  const body = JSON.stringify({ event: 'ocr.completed', request_id: 'ocr_1' });
  const at = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.trim().replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
  return { secret, body, headers };
}

function ofBytes(length: number): string {
  return Buffer.alloc(length, 'secret').toString('base64');
}

/** Which deliveries each client takes for signed. */
const TAKEN: Readonly<Record<string, (deliveries: readonly Delivery[]) => boolean[]>> = {
  TypeScript: (deliveries) => deliveries.map(isTaken),
  Python: (deliveries) => {
    const input = JSON.stringify(deliveries);
    const run = spawnSync('python3', ['-B', join(import.meta.dirname, 'verify-webhooks.py'), SOURCE], { input });
    if (run.stderr.length > 0) throw new Error(String(run.stderr));
    return JSON.parse(String(run.stdout)) as boolean[];
  },
};

function isTaken({ secret, body, headers }: Delivery): boolean {
  try {
    verifyWebhook(secret, body, headers);
    return true;
  } catch {
    return false;
  }
}

it.each(LANGUAGES)('$language: nothing is signed with a secret that is none, or is short', ({ language }) => {
  const noKeys = ['', 'whsec_', 'whsec_***', 'whsec_...'];
  const short = ['whsec_AA==', `whsec_${ofBytes(15)}`];
  const damaged = [`whsec_*${ofBytes(30)}`, `whsec_${ofBytes(31).replace(/=+$/, '')}`];
  const whole = [`whsec_${ofBytes(16)}`, ofBytes(32)];
  const wanted = [...noKeys, ...short, ...damaged].map(() => false).concat(whole.map(() => true));
  expect(TAKEN[language]?.([...noKeys, ...short, ...damaged, ...whole].map(delivery))).toEqual(wanted);
});

it.each(LANGUAGES)(
  '$language: white space around a secret, as of a file that was read as it is, is left off',
  ({ language }) => {
    const secret = `whsec_${ofBytes(32)}`;
    const spaced = [`${secret}\n`, `${secret}\r\n`, ` \t${secret} `, `${ofBytes(32)}\n`];
    expect(TAKEN[language]?.(spaced.map(delivery))).toEqual(spaced.map(() => true));
    const none = ['\n', 'whsec_\n', `whsec_${ofBytes(15)}\n`];
    expect(TAKEN[language]?.(none.map(delivery))).toEqual(none.map(() => false));
  },
);
