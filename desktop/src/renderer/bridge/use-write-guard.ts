import { useConnection } from './connection.tsx';
import { useProfiles } from './profiles.tsx';

/** Why nothing can be changed now, as a sentence for a disabled button; null when changes are possible. */
export function useWriteGuard(): string | null {
  const { selected } = useProfiles();
  const { state } = useConnection();
  if (selected?.readOnly) return `The profile “${selected.name}” is read-only.`;
  if (state === 'live') return null;
  return state === 'unauthorised' ? 'The gateway refuses this profile’s key.' : 'Not connected to the gateway.';
}
