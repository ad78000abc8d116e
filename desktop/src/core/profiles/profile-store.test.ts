import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileVault, UNSEALED } from './file-vault.ts';
import { type FixedProfile, ProfileStore } from './profile-store.ts';
import { MemoryVault } from './token-vault.ts';

const STAGING = {
  name: 'Staging',
  url: 'https://staging.example.com',
  colour: '#00aa00',
  readOnly: false,
  production: false,
};
const FIXED: FixedProfile = {
  profile: { ...STAGING, id: 'environment', name: 'From the environment', fixed: true },
  token: 'sk-env',
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ocr-router-profiles-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function open(fixed: FixedProfile | null = null, vault = new FileVault(join(folder, 'tokens.json'), UNSEALED)) {
  return ProfileStore.open({ path: join(folder, 'profiles.json'), vault, fixed });
}

it('keeps profiles and tokens from one start to the next, in files of their user’s own', async () => {
  const { id } = await (await open()).save({ ...STAGING, token: 'sk-1' });
  const again = await open();
  expect(await again.list()).toEqual({ profiles: [{ ...STAGING, id, hasToken: true }], selectedId: id });
  expect((await again.selected())?.token).toBe('sk-1');
  const modes = await Promise.all(['profiles.json', 'tokens.json'].map((name) => stat(join(folder, name))));
  expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0]);
});

it('keeps the token when a profile is saved without one', async () => {
  const store = await open();
  const { id } = await store.save({ ...STAGING, token: 'sk-1' });
  expect(await store.save({ ...STAGING, id, name: 'Renamed', url: `${STAGING.url}/ocr` })).toMatchObject({
    hasToken: true,
  });
});

it('forgets the token when its profile is led elsewhere', async () => {
  const store = await open();
  const { id } = await store.save({ ...STAGING, token: 'sk-1' });
  expect(await store.save({ ...STAGING, id, url: 'https://evil.example.com' })).toMatchObject({ hasToken: false });
  expect((await store.selected())?.token).toBe('');
});

it('removes the token with its profile, and shows another one', async () => {
  const vault = new MemoryVault();
  const store = await open(null, vault as never);
  const first = await store.save({ ...STAGING, token: 'sk-1' });
  const second = await store.save({ ...STAGING, name: 'Other' });
  await store.remove(first.id);
  expect(await vault.get(first.id)).toBeNull();
  expect((await store.list()).selectedId).toBe(second.id);
});

it('shows the profile of the environment first, and lets nobody change it', async () => {
  const store = await open(FIXED);
  expect(await store.list()).toMatchObject({ profiles: [FIXED.profile], selectedId: 'environment' });
  expect((await store.selected())?.token).toBe('sk-env');
  await expect(store.save({ ...STAGING, id: 'environment' })).rejects.toThrow('environment');
  await expect(store.remove('environment')).rejects.toThrow('environment');
});

it('refuses profiles that are not there', async () => {
  const store = await open();
  await expect(store.select('x')).rejects.toThrow('not there');
  await expect(store.save({ ...STAGING, id: 'x' })).rejects.toThrow('not there');
});

it.each(['{"profiles": [{"id": 1}, {"name": "x"}, 7], "selectedId": 3}', 'half a fi', '[]', ''])(
  'begins anew where the file holds %s',
  async (content) => {
    await writeFile(join(folder, 'profiles.json'), content);
    expect(await (await open()).list()).toEqual({ profiles: [], selectedId: null });
  },
);

it.skipIf(!existsSync('/proc/self'))('says that its folder cannot be made', async () => {
  const store = await ProfileStore.open({ path: '/proc/x/profiles.json', vault: new MemoryVault(), fixed: null });
  await expect(store.save(STAGING)).rejects.toThrow("mkdir '/proc/x'");
});
