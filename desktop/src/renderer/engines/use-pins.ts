import { useState } from 'react';
import { useProfiles } from '../bridge/profiles.tsx';

/** The engines that this operator wants to see first, gateway by gateway, kept on this machine. */
export function usePins(): [ReadonlySet<string>, (id: string) => void] {
  const { selected } = useProfiles();
  const key = `console-pins-${selected?.id ?? 'none'}`;
  const [pins, setPins] = useState(() => stored(key));
  return [
    pins,
    (id) => {
      const next = new Set(pins);
      if (!next.delete(id)) next.add(id);
      localStorage.setItem(key, JSON.stringify([...next]));
      setPins(next);
    },
  ];
}

function stored(key: string): ReadonlySet<string> {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}
