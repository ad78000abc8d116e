import type { AlertNotice } from './alerts.ts';
import type { Profile, ProfileInput } from './profile.ts';

export type { Profile } from './profile.ts';

export type ConnectionName = 'live' | 'connecting' | 'offline' | 'unauthorised';

export interface ConnectionState {
  readonly state: ConnectionName;
  readonly since: string;
  /** When it tries again by itself; null while it does not. */
  readonly retryAt: string | null;
  readonly roundTripMs: number | null;
}

export interface GraphqlError {
  readonly message: string;
  readonly extensions?: Record<string, unknown>;
}

export interface GraphqlResult {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
}

export interface GraphqlEvent extends GraphqlResult {
  readonly id: string;
  readonly complete?: boolean;
}

export interface GraphqlOperation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

export interface AppInfo {
  readonly version: string;
  readonly shell: 'electron' | 'web';
  /** Where tokens are kept: the system's key store, a file only its user can read, or until the end of the program. */
  readonly tokenStorage: 'keychain' | 'file' | 'memory';
}

/** Every call of the renderer, with what goes in and what comes out. A token goes in and never comes out. */
export interface Channels {
  'app.info': { input: undefined; output: AppInfo };
  /** The size of the page, where the shell can set it: a browser has its own zoom. */
  'app.zoom': { input: { percent: number }; output: { applied: boolean } };
  'profiles.list': { input: undefined; output: { profiles: readonly Profile[]; selectedId: string | null } };
  'profiles.save': { input: ProfileInput; output: Profile };
  'profiles.remove': { input: { id: string }; output: undefined };
  'profiles.select': { input: { id: string }; output: undefined };
  /** Queries and mutations. It rejects where no answer came, and resolves with `errors` where the gateway refused. */
  'graphql.execute': { input: GraphqlOperation; output: GraphqlResult };
  /** Results come as `graphql.event`; after a broken connection it goes on by itself. */
  'graphql.subscribe': { input: GraphqlOperation & { id: string }; output: undefined };
  'graphql.unsubscribe': { input: { id: string }; output: undefined };
  /** Does not wait for the next attempt to reach the gateway. */
  'connection.retry': { input: undefined; output: undefined };
  'clipboard.write': { input: { text: string }; output: undefined };
  /** Opens a page of one of the gateways in the system's browser; other addresses are refused. */
  'external.open': { input: { url: string }; output: undefined };
}

/** What the shell tells the renderer. */
export interface Events {
  /** The page had lost its shell and has it again; its subscriptions ended with the one before. */
  'bridge.back': undefined;
  /** Also at once, when a listener is added. */
  'connection.state': ConnectionState;
  /** Profiles were saved, removed or chosen, perhaps in another window. */
  'profiles.changed': undefined;
  'graphql.event': GraphqlEvent;
  'alerts.fired': AlertNotice;
  /** A native notification was clicked: the page to open, such as `/engines/reader`. */
  navigate: { readonly path: string };
}

export type ChannelName = keyof Channels;
export type EventName = keyof Events;

/** Tells a page that something has happened. */
export type Emit = <Name extends EventName>(event: Name, payload: Events[Name]) => void;

export interface Bridge {
  invoke<Name extends ChannelName>(channel: Name, input: Channels[Name]['input']): Promise<Channels[Name]['output']>;
  /** The function that is returned ends it. */
  on<Name extends EventName>(event: Name, listener: (payload: Events[Name]) => void): () => void;
}
