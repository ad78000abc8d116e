import { randomUUID } from 'node:crypto';
import type { Profile, ProfileInput } from '../../shared/profile.ts';
import { JsonFile } from '../json-file.ts';
import { Refused } from '../refused.ts';
import { PROFILE } from './profile-input.ts';
import type { TokenVault } from './token-vault.ts';

const MOST_PROFILES = 100;

/** A gateway with what opens it. It never leaves the shell. */
export interface Gateway {
  readonly profile: Profile;
  readonly token: string;
}

/** A profile from the environment: it lives as long as the program. */
export interface FixedProfile {
  readonly profile: Profile;
  readonly token: string;
}

/** The gateways, and which one is shown. */
export class ProfileStore {
  readonly #file: JsonFile;
  readonly #vault: TokenVault;
  readonly #fixed: FixedProfile | null;
  #profiles: Profile[] = [];
  #selectedId: string | null = null;

  private constructor(parts: { file: JsonFile; vault: TokenVault; fixed: FixedProfile | null }) {
    this.#file = parts.file;
    this.#vault = parts.vault;
    this.#fixed = parts.fixed;
  }

  static async open(at: { path: string; vault: TokenVault; fixed?: FixedProfile | null }): Promise<ProfileStore> {
    const store = new ProfileStore({ file: new JsonFile(at.path), vault: at.vault, fixed: at.fixed ?? null });
    const { profiles, selectedId } = kept(await store.#file.read());
    store.#profiles = profiles;
    store.#selectedId = at.fixed?.profile.id ?? selectedId;
    return store;
  }

  async list(): Promise<{ profiles: Profile[]; selectedId: string | null }> {
    const own = await Promise.all(this.#profiles.map((profile) => this.#shown(profile)));
    const profiles = this.#fixed ? [this.#fixed.profile, ...own] : own;
    return { profiles, selectedId: profiles.some(({ id }) => id === this.#selectedId) ? this.#selectedId : null };
  }

  /** The gateway that is shown; null where none is. */
  async selected(): Promise<Gateway | null> {
    if (this.#fixed && this.#fixed.profile.id === this.#selectedId) return this.#fixed;
    const profile = this.#profiles.find(({ id }) => id === this.#selectedId);
    return profile ? { profile, token: (await this.#vault.get(profile.id)) ?? '' } : null;
  }

  async save({ token, ...input }: ProfileInput): Promise<Profile> {
    if (input.id !== undefined && input.id === this.#fixed?.profile.id) throw fixedRefusal();
    const before = this.#profiles.find(({ id }) => id === input.id);
    if (input.id !== undefined && !before) throw new Refused('This profile is not there any more.');
    if (!before && this.#profiles.length >= MOST_PROFILES) throw new Refused(`There are ${MOST_PROFILES} profiles.`);
    const profile: Profile = { ...input, id: before?.id ?? randomUUID() };
    // A page that could lead a kept key to another address could read it there.
    if (before && !isSameOrigin(before.url, profile.url)) await this.#vault.remove(profile.id);
    if (token !== undefined) await this.#vault.set(profile.id, token);
    this.#profiles = before
      ? this.#profiles.map((each) => (each.id === profile.id ? profile : each))
      : [...this.#profiles, profile];
    this.#selectedId ??= profile.id;
    await this.#write();
    return this.#shown(profile);
  }

  async remove(id: string): Promise<void> {
    if (id === this.#fixed?.profile.id) throw fixedRefusal();
    await this.#vault.remove(id);
    this.#profiles = this.#profiles.filter((profile) => profile.id !== id);
    if (this.#selectedId === id) this.#selectedId = this.#fixed?.profile.id ?? this.#profiles[0]?.id ?? null;
    await this.#write();
  }

  async select(id: string): Promise<void> {
    const { profiles } = await this.list();
    if (!profiles.some((profile) => profile.id === id)) throw new Refused('This profile is not there any more.');
    this.#selectedId = id;
    await this.#write();
  }

  async #shown(profile: Profile): Promise<Profile> {
    return { ...profile, hasToken: (await this.#vault.get(profile.id)) !== null };
  }

  async #write(): Promise<void> {
    await this.#file.write({ profiles: this.#profiles, selectedId: this.#selectedId });
  }
}

/** What the file holds may be of another version, or changed by hand: what is no profile is left out. */
function kept(content: unknown): { profiles: Profile[]; selectedId: string | null } {
  const { profiles, selectedId } = (content ?? {}) as { profiles?: unknown; selectedId?: unknown }; // looked at below
  const entries = Array.isArray(profiles) ? profiles : [];
  return {
    profiles: entries.flatMap((entry) => keptProfile(entry) ?? []),
    selectedId: typeof selectedId === 'string' ? selectedId : null,
  };
}

function keptProfile(entry: unknown): Profile | null {
  const { data: profile } = PROFILE.safeParse(entry);
  if (profile?.id === undefined) return null;
  const { id, token: _, ...rest } = profile;
  return { id, ...rest };
}

function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}

function fixedRefusal(): Refused {
  return new Refused('This profile comes from the environment of the console and is changed there.');
}
