import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { Profile } from '../../shared/channels.ts';
import { bridge } from './bridge.ts';

interface Profiles {
  readonly profiles: readonly Profile[];
  /** The gateway that the console shows; null before the first profile is made. */
  readonly selected: Profile | null;
  /** False until the list has come once. */
  readonly known: boolean;
  readonly select: (id: string) => Promise<void>;
  /** Reads the list again, after a profile was saved or removed. */
  readonly reload: () => Promise<void>;
}

const NONE: Profiles = {
  profiles: [],
  selected: null,
  known: false,
  select: async () => {},
  reload: async () => {},
};

const ProfilesContext = createContext<Profiles>(NONE);

type Listed = Pick<Profiles, 'profiles' | 'selected' | 'known'>;
let first: Listed = NONE;

/** Reads the list before anything is drawn, so that the first drawing has it. */
export async function readFirstProfiles(): Promise<void> {
  first = await listProfiles();
}

async function listProfiles(): Promise<Listed> {
  const { profiles, selectedId } = await bridge.invoke('profiles.list', undefined);
  return { profiles, selected: profiles.find(({ id }) => id === selectedId) ?? null, known: true };
}

/** Keeps the list of gateways for the tree below. */
export function ProfilesProvider({ children }: { readonly children: ReactNode }) {
  const [listed, setListed] = useState(first);
  const reload = useCallback(async () => setListed(await listProfiles()), []);
  const select = useCallback(
    async (id: string) => {
      await bridge.invoke('profiles.select', { id });
      await reload();
    },
    [reload],
  );
  useEffect(() => {
    if (!first.known) void reload();
    return bridge.on('profiles.changed', () => void reload());
  }, [reload]);
  const value = useMemo(() => ({ ...listed, select, reload }), [listed, select, reload]);
  return <ProfilesContext value={value}>{children}</ProfilesContext>;
}

/** The gateways, and which one is shown. */
export function useProfiles(): Profiles {
  return useContext(ProfilesContext);
}
