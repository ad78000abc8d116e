import type { GraphqlError, GraphqlOperation, GraphqlResult } from '../../shared/channels.ts';
import type { Gateway } from '../profiles/profile-store.ts';

const ANSWER_LIMIT_MS = 30_000;
/** Of what a page can show; more is a mistake or an attack. */
const MOST_ANSWER_BYTES = 32 * 1024 * 1024;

export interface Answered extends GraphqlResult {
  readonly status: number;
}

/** One query or mutation. Rejects where no answer came. */
export async function ask(
  { profile, token }: Gateway,
  { query, variables }: GraphqlOperation,
  tools: { readonly fetch: typeof fetch; readonly signal?: AbortSignal },
): Promise<Answered> {
  const limit = AbortSignal.timeout(ANSWER_LIMIT_MS);
  const response = await tools.fetch(`${profile.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables }),
    redirect: 'error', // a redirect would carry the token elsewhere
    credentials: 'omit',
    signal: tools.signal ? AbortSignal.any([limit, tools.signal]) : limit,
  });
  return { status: response.status, ...resultOf(await textOf(response), response.status) };
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_ANSWER_BYTES) throw new Error('The gateway’s answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** GraphQL's own answer, or the envelope of an error that came before GraphQL. */
function resultOf(text: string, status: number): GraphqlResult {
  const body = parsed(text);
  if (body.data !== undefined || body.errors !== undefined) {
    const errors = status < 400 ? body.errors : body.errors?.map((error) => withStatus(error, status));
    return { ...(body.data !== undefined && { data: body.data }), ...(errors && { errors }) };
  }
  const message = body.error?.message ?? `The gateway answered with HTTP ${status}.`;
  return { errors: [{ message, extensions: { code: body.error?.code ?? 'no_graphql', status } }] };
}

/** Of a call that was refused as a whole, pages want to know how. */
function withStatus(error: GraphqlError, status: number): GraphqlError {
  return { ...error, extensions: { ...error.extensions, status } };
}

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
  readonly error?: { readonly code?: string; readonly message?: string };
}

function parsed(text: string): Body {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
