/** All tabs of a browser share one session: whose it is now, told to the others. */
export interface OtherTabs {
  tell(accountId: string | null): void;
  close(): void;
}

/** `onTold` hears whose session it is, null for nobody's, when another tab has found it out. */
export function openOtherTabs(onTold: (accountId: string | null) => void): OtherTabs {
  const channel = new BroadcastChannel('ocr-router-session');
  channel.onmessage = ({ data }: MessageEvent<string | null>) => onTold(data);
  return { tell: (accountId) => channel.postMessage(accountId), close: () => channel.close() };
}
