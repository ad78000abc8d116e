import { useEffect, useState } from 'react';
import { bridge } from '../bridge/bridge.ts';

const TOLD_MS = 1500;

/** Puts a text on the clipboard, and says so for a moment. */
export function useCopy(text: string): { readonly copied: boolean; readonly copy: () => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => void bridge.invoke('clipboard.write', { text }).then(() => setCopied(true));
  return { copied, copy };
}
