import type { Caller } from './caller.ts';

export interface GraphqlAnswer<T> {
  readonly status: number;
  readonly data: T;
  /** The codes of its errors, in order. */
  readonly codes: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** A GraphQL operation on the API's address, with the caller's key. */
export async function ask<T>(caller: Caller, query: string, variables: object = {}): Promise<GraphqlAnswer<T>> {
  const { status, headers, body } = await caller.call<{
    data: T;
    errors?: { extensions: { code: string } }[];
    error?: { code: string };
  }>('POST', '/graphql', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const codes = body.error ? [body.error.code] : (body.errors ?? []).map(({ extensions }) => extensions.code);
  return { status, headers, data: body.data, codes };
}
