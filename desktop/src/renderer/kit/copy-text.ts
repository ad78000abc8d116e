import { bridge } from '../bridge/bridge.ts';

/** Puts text on the clipboard; says whether that worked. A page of Electron has no clipboard of its own. */
export function copyText(text: string): Promise<boolean> {
  return bridge.invoke('clipboard.write', { text }).then(() => true);
}
