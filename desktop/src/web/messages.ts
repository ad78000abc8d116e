import type { ChannelName, EventName } from '../shared/channels.ts';

/** Page to local server: a call. */
export interface CallMessage {
  readonly call: number;
  readonly channel: ChannelName;
  readonly input?: unknown;
}

/** Local server to page: how a call ended, or an event. */
export type ShellMessage =
  | { readonly call: number; readonly output?: unknown }
  | { readonly call: number; readonly refused: string }
  | { readonly event: EventName; readonly payload?: unknown };
