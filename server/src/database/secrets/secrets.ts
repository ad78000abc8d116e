import type { KeySource } from '../../platform/settings/key-settings.ts';
import { type FileKeys, makeKeyFile, readKeyFile, turnKeyFile } from './key-file.ts';
import { keyIdOf, openText, type SecretKey, sealText, secretKey } from './sealed-text.ts';

/** Thrown for a stored secret that was encrypted with a key that this process does not have. */
export class MissingKeyError extends Error {
  constructor(source: KeySource) {
    super(`The secrets in this database were encrypted with another key: ${REMEDIES[source.kind]}`);
  }
}

const REMEDIES: Readonly<Record<KeySource['kind'], string>> = {
  environment: 'SECRETS_KEY (or SECRETS_KEY_PREVIOUS) must be the one that the other processes have.',
  file: 'restore the file secrets-key.json of its DATA_DIR, or set SECRETS_KEY to the one that it had.',
  none: 'set SECRETS_KEY to the one that the other processes have.',
};

/** Encrypts stored secrets and decrypts them. Rows that were plain before stay readable. */
export class Secrets {
  readonly #source: KeySource;
  #keys: readonly SecretKey[];

  constructor(source: KeySource) {
    this.#source = source;
    this.#keys = keysOf(source);
  }

  /** Whether there is a key; without one secrets are stored as they are. */
  get encrypts(): boolean {
    return this.#source.kind !== 'none';
  }

  /** Whether a new key can be made here: a key of the environment is the operator's to change. */
  get ownsKey(): boolean {
    return this.#source.kind === 'file';
  }

  /** The id of the key that encrypts; null without one. */
  get keyId(): string | null {
    this.#reread();
    return this.#keys[0]?.id ?? null;
  }

  /** The value to be stored for a text; `subject` names the table and the row. */
  seal(subject: string, text: string): string {
    this.#reread();
    const [key] = this.#keys;
    return key ? sealText(key, subject, text) : text;
  }

  /** The text of a stored value. Throws `MissingKeyError`, and for another subject or a damaged value. */
  open(subject: string, stored: string): string {
    const id = keyIdOf(stored);
    if (id === null) return stored;
    return openText(this.#find(id), subject, stored);
  }

  /** Whether this process has the key of a stored value; a plain text needs none. */
  canOpen(stored: string): boolean {
    const id = keyIdOf(stored);
    return id === null || this.#known(id) !== undefined;
  }

  /** Makes a new key in the key file; the present one still decrypts. */
  turn(): void {
    if (this.#source.kind !== 'file') throw new Error('only a key file can be given a new key');
    this.#reread();
    const [present] = this.#keys;
    if (present) turnKeyFile(this.#source.path, present.bytes);
    this.#reread();
  }

  #find(id: string): SecretKey {
    const key = this.#known(id);
    if (!key) throw new MissingKeyError(this.#source);
    return key;
  }

  #known(id: string): SecretKey | undefined {
    const known = this.#keys.find((key) => key.id === id);
    if (known) return known;
    this.#reread();
    return this.#keys.find((key) => key.id === id);
  }

  /** Reads the key file again: a command may have given it another key. */
  #reread(): void {
    if (this.#source.kind === 'file') this.#keys = keysOf(this.#source);
  }
}

function keysOf(source: KeySource): SecretKey[] {
  if (source.kind === 'none') return [];
  const keys =
    source.kind === 'file' ? (readKeyFile(source.path) ?? makeKeyFile(source.path)) : fromEnvironment(source);
  return [keys.current, keys.previous].flatMap((bytes) => (bytes === null ? [] : [secretKey(bytes)]));
}

/**
 * The keys of the environment. An operator who sets SECRETS_KEY in place of a key file need not name the key of the file: it
 * counts as the former one.
 */
function fromEnvironment({ current, previous, file }: KeySource & { kind: 'environment' }): FileKeys {
  return { current, previous: previous ?? (file === null ? null : (readKeyFile(file)?.current ?? null)) };
}

/** Secrets without a key: for databases whose secrets are plain. */
export const PLAIN_SECRETS = new Secrets({ kind: 'none' });
