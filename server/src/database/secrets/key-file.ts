import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makeFolderNow } from '../../platform/files/make-folder.ts';
import { syncFolderNow } from '../../platform/files/sync-folder.ts';
import { SettingError } from '../../platform/settings/setting-error.ts';

const KEY_BYTES = 32;
const keyText = z.base64().refine((text) => Buffer.from(text, 'base64').length === KEY_BYTES);
const KeyFile = z.object({ current: keyText, previous: keyText.nullable() });

/** The keys of a key file: the one that encrypts, and the former one. */
export interface FileKeys {
  readonly current: Buffer;
  readonly previous: Buffer | null;
}

/** Reads a key file; null where there is none. Throws `SettingError` for a file that cannot be read or is damaged. */
export function readKeyFile(path: string): FileKeys | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new SettingError(`${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  const parsed = KeyFile.safeParse(parse(text));
  if (!parsed.success) throw new SettingError(`${path} is damaged: restore it from a backup.`); // never with what it holds
  const { current, previous } = parsed.data;
  return {
    current: Buffer.from(current, 'base64'),
    previous: previous === null ? null : Buffer.from(previous, 'base64'),
  };
}

/** Makes the file with a new key. Where another process was first, its key holds. */
export function makeKeyFile(path: string): FileKeys {
  makeFolderNow(dirname(path));
  const draft = writeDraft(path, { current: randomBytes(KEY_BYTES), previous: null });
  try {
    linkSync(draft, path); // fails where there is one, unlike a renaming
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolderNow(dirname(path));
  const keys = readKeyFile(path);
  if (!keys) throw new Error(`${path} was removed while it was made.`);
  return keys;
}

/**
 * Makes a new key; the present one becomes the former one. The file is whole at every moment, and on return the new one stays
 * after a power cut.
 */
export function turnKeyFile(path: string, present: Buffer): void {
  renameSync(writeDraft(path, { current: randomBytes(KEY_BYTES), previous: present }), path);
  syncFolderNow(dirname(path));
}

function writeDraft(path: string, { current, previous }: FileKeys): string {
  const draft = `${path}.${process.pid}.draft`;
  const text = { current: current.toString('base64'), previous: previous?.toString('base64') ?? null };
  rmSync(draft, { force: true });
  writeFileSync(draft, JSON.stringify(text), { mode: 0o600, flush: true, flag: 'wx' });
  return draft;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
