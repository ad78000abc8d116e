import type { AppInfo } from '../../shared/channels.ts';

/** Where the tokens of the gateways are, by profile. */
export interface TokenVault {
  readonly storage: AppInfo['tokenStorage'];
  get(profileId: string): Promise<string | null>;
  set(profileId: string, token: string): Promise<void>;
  remove(profileId: string): Promise<void>;
}

/** Until the end of the program. */
export class MemoryVault implements TokenVault {
  readonly storage = 'memory';
  readonly #tokens = new Map<string, string>();

  async get(profileId: string): Promise<string | null> {
    return this.#tokens.get(profileId) ?? null;
  }

  async set(profileId: string, token: string): Promise<void> {
    this.#tokens.set(profileId, token);
  }

  async remove(profileId: string): Promise<void> {
    this.#tokens.delete(profileId);
  }
}
