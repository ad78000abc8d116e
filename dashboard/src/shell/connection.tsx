import { useNetwork } from '@mantine/hooks';
import { Offline } from '@ocr-router/ui/states/offline.tsx';

/** Says so while the browser has no network. */
export function Connection() {
  const { online } = useNetwork();
  if (online) return null;
  return <Offline>You are offline. What you see was loaded before; nothing can be changed until you are back.</Offline>;
}
