import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SettingError } from '../../platform/settings/setting-error.ts';
import { MissingKeyError, PLAIN_SECRETS, Secrets } from './secrets.ts';

const TEXT = 'whsec_c2VjcmV0';
const from = (current: Buffer, previous: Buffer | null = null) =>
  new Secrets({ kind: 'environment', current, previous, file: null });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a stored secret', () => {
  const secrets = from(randomBytes(32));

  it('is another text each time, and opens', () => {
    const [one, two] = [secrets.seal('account:1', TEXT), secrets.seal('account:1', TEXT)];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^enc:1:[0-9a-f]{16}:/);
    expect(one).not.toContain('c2VjcmV0');
    expect([secrets.open('account:1', one), secrets.open('account:1', two)]).toEqual([TEXT, TEXT]);
  });

  it('does not open for another row, nor when it was changed', () => {
    const stored = secrets.seal('account:1', TEXT);
    expect(() => secrets.open('account:2', stored)).toThrow();
    const last = stored.at(-1) === 'A' ? 'B' : 'A';
    expect(() => secrets.open('account:1', `${stored.slice(0, -2)}${last}${last}`)).toThrow();
    expect(() => secrets.open('account:1', stored.slice(0, 40))).toThrow();
  });

  it('names no key in the error when there is none for it', () => {
    const key = randomBytes(32);
    const stored = from(key).seal('account:1', TEXT);
    for (const other of [secrets, PLAIN_SECRETS]) {
      expect(() => other.open('account:1', stored)).toThrow(MissingKeyError);
      expect(() => other.open('account:1', stored)).toThrow(/SECRETS_KEY/);
    }
  });

  it('that is plain stays readable, and plain it stays without a key', () => {
    expect(secrets.open('account:1', TEXT)).toBe(TEXT);
    expect(PLAIN_SECRETS.seal('account:1', TEXT)).toBe(TEXT);
  });

  it('of the former key opens with it as the previous one', () => {
    const [former, present] = [randomBytes(32), randomBytes(32)];
    const stored = from(former).seal('account:1', TEXT);
    expect(from(present, former).open('account:1', stored)).toBe(TEXT);
    expect(from(present, former).seal('account:1', TEXT)).toMatch(`enc:1:${from(present).keyId}:`);
  });
});

describe('a key file', () => {
  it('is made once, for its owner alone', () => {
    const path = join(folder, 'data', 'secrets-key.json');
    const stored = new Secrets({ kind: 'file', path }).seal('account:1', TEXT);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(new Secrets({ kind: 'file', path }).open('account:1', stored)).toBe(TEXT);
  });

  it('that is given another key is read again by who has it open', () => {
    const path = join(folder, 'secrets-key.json');
    const [server, command] = [new Secrets({ kind: 'file', path }), new Secrets({ kind: 'file', path })];
    const before = server.seal('account:1', TEXT);
    command.turn();
    const after = command.seal('account:1', TEXT);
    expect(server.open('account:1', after)).toBe(TEXT);
    expect(server.open('account:1', before)).toBe(TEXT);
    expect(server.keyId).toBe(command.keyId);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('that is damaged says so, and not what it holds', () => {
    const path = join(folder, 'secrets-key.json');
    writeFileSync(path, '{"current":"not-a-key-but-private"}');
    expect(() => new Secrets({ kind: 'file', path })).toThrow(/is damaged: restore it/);
    expect(() => new Secrets({ kind: 'file', path })).not.toThrow(/private/);
  });

  it('that cannot be read, or is damaged, is for an operator to mend', () => {
    const path = join(folder, 'secrets-key.json');
    writeFileSync(path, '{}');
    expect(() => new Secrets({ kind: 'file', path })).toThrow(SettingError);
    expect(() => new Secrets({ kind: 'file', path: folder })).toThrow(SettingError);
    expect(() => new Secrets({ kind: 'file', path: folder })).toThrow(`${folder} cannot be read: EISDIR`);
  });

  it('opens for who sets SECRETS_KEY in its place', () => {
    const path = join(folder, 'secrets-key.json');
    const stored = new Secrets({ kind: 'file', path }).seal('account:1', TEXT);
    const environment = { kind: 'environment', current: randomBytes(32), previous: null, file: path } as const;
    expect(new Secrets(environment).open('account:1', stored)).toBe(TEXT);
    expect(readFileSync(path, 'utf8')).toContain('"previous":null');
  });
});
