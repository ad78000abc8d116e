import { useEffect, useState } from 'react';
import type { AppInfo } from '../../shared/channels.ts';
import { bridge } from '../bridge/bridge.ts';

/** Which console this is; null before it is known. */
export function useAppInfo(): AppInfo | null {
  const [info, setInfo] = useState<AppInfo | null>(null);
  useEffect(() => {
    bridge.invoke('app.info', undefined).then(setInfo, () => setInfo(null));
  }, []);
  return info;
}
