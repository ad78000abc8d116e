import type { Log } from '../../platform/logging/log.ts';
import { type Discovered, discover, type OpenIdSettings } from './discovery.ts';
import { describeCause } from './openid-failure.ts';

/** Addresses and abilities of a provider change seldom; they are read again in the background. */
const RENEW_AFTER_MS = 60 * 60_000;
/** After a failure nobody waits for the provider again for this long. */
const RETRY_AFTER_MS = 5000;

export interface OpenIdProviderDeps {
  readonly settings: OpenIdSettings;
  readonly log: Log;
  readonly now?: () => number;
  readonly discover?: typeof discover;
}

/** An outside OpenID provider: asked for its metadata when it is first needed, then kept, and renewed while it is used. */
export class OpenIdProvider {
  readonly settings: OpenIdSettings;
  readonly #deps: Required<OpenIdProviderDeps>;
  #known: Discovered | null = null;
  /** Before this time it is not asked again. */
  #nextAt = 0;
  #failure: unknown = null;
  #asking: Promise<Discovered> | null = null;

  constructor(deps: OpenIdProviderDeps) {
    this.settings = deps.settings;
    this.#deps = { now: Date.now, discover, ...deps };
  }

  /** What is known of it. Throws, after a few seconds at most, when it does not answer or is another one. */
  async discovered(): Promise<Discovered> {
    const isDue = this.#deps.now() >= this.#nextAt;
    if (this.#known) {
      if (isDue) void this.#ask().catch((error: unknown) => this.#stale(error));
      return this.#known;
    }
    if (!isDue) throw this.#failure;
    return this.#ask();
  }

  #ask(): Promise<Discovered> {
    this.#asking ??= this.#discover().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #discover(): Promise<Discovered> {
    const { now } = this.#deps;
    try {
      this.#known = await this.#deps.discover(this.settings, this.#known);
      this.#nextAt = now() + RENEW_AFTER_MS;
      return this.#known;
    } catch (error) {
      this.#failure = error;
      this.#nextAt = now() + RETRY_AFTER_MS;
      throw error;
    }
  }

  #stale(error: unknown): void {
    this.#deps.log.warn({ cause: describeCause(error) }, 'the identity provider could not be asked again');
  }
}
