export type ConnectionName = 'live' | 'connecting' | 'offline' | 'unauthorised';
export interface ConnectionState {
  readonly state: ConnectionName;
  readonly since: string;
  readonly retryAt: string | null;
  readonly roundTripMs: number | null;
}
export interface Profile {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly colour: string;
  readonly readOnly: boolean;
  readonly production: boolean;
}
export interface GraphqlError {
  readonly message: string;
  readonly extensions?: Record<string, unknown>;
}
export interface GraphqlResult {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
}
export interface Channels {
  'profiles.list': { input: undefined; output: { profiles: readonly Profile[]; selectedId: string | null } };
  'profiles.select': { input: { id: string }; output: undefined };
  'graphql.execute': { input: { query: string; variables: Record<string, unknown> }; output: GraphqlResult };
  'graphql.subscribe': { input: { id: string; query: string; variables: Record<string, unknown> }; output: undefined };
  'graphql.unsubscribe': { input: { id: string }; output: undefined };
  'clipboard.write': { input: { text: string }; output: undefined };
  'app.info': { input: undefined; output: { version: string } };
}
export interface Events {
  'connection.state': ConnectionState;
  'graphql.event': {
    readonly id: string;
    readonly data?: unknown;
    readonly errors?: readonly GraphqlError[];
    readonly complete?: boolean;
  };
  navigate: { readonly path: string };
}
export interface Bridge {
  invoke<Name extends keyof Channels>(channel: Name, input: Channels[Name]['input']): Promise<Channels[Name]['output']>;
  on<Name extends keyof Events>(event: Name, listener: (payload: Events[Name]) => void): () => void;
}
