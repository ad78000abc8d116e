import type { AppInfo } from '../../shared/channels.ts';
import { JsonFile } from '../json-file.ts';
import type { TokenVault } from './token-vault.ts';

/** How a token becomes what is written, and back; null for what cannot be read any more. */
export interface Sealing {
  readonly storage: AppInfo['tokenStorage'];
  seal(token: string): string;
  unseal(sealed: string): string | null;
}

/** As it is: the file's mode is its only protection, as it is for keys of ssh without a passphrase. */
export const UNSEALED: Sealing = { storage: 'file', seal: (token) => token, unseal: (sealed) => sealed };

/** Tokens in a file that only its user can read. */
export class FileVault implements TokenVault {
  readonly storage: AppInfo['tokenStorage'];
  readonly #file: JsonFile;
  readonly #sealing: Sealing;
  #sealed: Promise<Map<string, string>> | null = null;

  constructor(path: string, sealing: Sealing) {
    this.storage = sealing.storage;
    this.#file = new JsonFile(path);
    this.#sealing = sealing;
  }

  async get(profileId: string): Promise<string | null> {
    const sealed = (await this.#load()).get(profileId);
    return sealed === undefined ? null : this.#sealing.unseal(sealed);
  }

  async set(profileId: string, token: string): Promise<void> {
    (await this.#load()).set(profileId, this.#sealing.seal(token));
    await this.#save();
  }

  async remove(profileId: string): Promise<void> {
    if ((await this.#load()).delete(profileId)) await this.#save();
  }

  /** The one table for all: who asks while the file is being read gets it, too. */
  #load(): Promise<Map<string, string>> {
    this.#sealed ??= this.#read().catch((error: unknown) => {
      this.#sealed = null; // the next call tries again
      throw error;
    });
    return this.#sealed;
  }

  async #read(): Promise<Map<string, string>> {
    return new Map(Object.entries((await this.#file.read()) ?? {}).filter(isText));
  }

  async #save(): Promise<void> {
    await this.#file.write(Object.fromEntries(await this.#load()));
  }
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}
