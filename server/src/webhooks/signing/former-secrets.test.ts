import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { Secrets } from '../../database/secrets/secrets.ts';
import { type Former, olderAfterChange, signingSecrets } from './former-secrets.ts';

const HOUR_MS = 3_600_000;
const SUBJECT = 'webhook:wh_1';
const withKey = () => new Secrets({ kind: 'environment', current: randomBytes(32), previous: null, file: null });
const secrets = withKey();
const at = (hours: number) => new Date(Date.UTC(2026, 10, 1) + hours * HOUR_MS);

/** The row after changes at these hours, each of which makes the secret before it the latest former one. */
function after(changes: readonly number[]): Former {
  let row: Former = { previous: null, previousUntil: null, older: null };
  for (const hour of changes) {
    const older = olderAfterChange(secrets, SUBJECT, { ...row, at: at(hour) });
    row = { previous: secrets.seal(SUBJECT, `before ${hour}`), previousUntil: at(hour + 24), older };
  }
  return row;
}

function signing({ previousUntil, ...row }: Former, hour: number, opener = secrets): string[] {
  return signingSecrets(opener, SUBJECT, { ...row, previousUntil: previousUntil?.toISOString() ?? null }, at(hour));
}

it('each secret signs for 24 hours after its change, whatever is changed meanwhile', () => {
  const row = after([0, 10]);
  expect(signing(row, 11)).toEqual(['before 10', 'before 0']);
  expect(signing(row, 24)).toEqual(['before 10']);
  expect(signing(row, 34)).toEqual([]);
  expect(after([0, 30]).older).toBeNull();
});

it('the latest four former ones sign', () => {
  expect(signing(after([1, 2, 3, 4, 5, 6]), 7)).toEqual(['before 6', 'before 5', 'before 4', 'before 3']);
});

it('a row of the version before has one', () => {
  const previous = secrets.seal(SUBJECT, 'old');
  expect(signing({ previous, previousUntil: at(1), older: null }, 0)).toEqual(['old']);
  expect(signing({ previous, previousUntil: null, older: null }, 0)).toEqual([]);
});

it('what is over is not opened, and older ones whose key is lost are left out', () => {
  const [stranger, row] = [withKey(), after([0, 10])];
  expect(signing(row, 34, stranger)).toEqual([]);
  const previous = stranger.seal(SUBJECT, 'known');
  expect(signing({ ...row, previous }, 11, stranger)).toEqual(['known']);
});
