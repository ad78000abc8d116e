/** More than any provider's metadata, keys or answers have. */
const MOST_BYTES = 512 * 1024;

interface ProviderRequest {
  readonly method?: string;
  readonly headers?: RequestInit['headers'];
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request: what both libraries, for OpenID and for keys, call in place of `fetch`. */
export type ProviderFetch = (url: string, options: ProviderRequest) => Promise<Response>;

/**
 * A provider's answer with its whole body, which is bounded; the signal of the caller bounds the time. Redirects are
 * answers like any other and are not followed.
 */
export const providerFetch: ProviderFetch = async (url, options) => {
  const answer = await fetch(url, {
    ...options,
    body: options.body as RequestInit['body'], // the libraries' own type of what `fetch` takes
    signal: options.signal ?? null,
    redirect: 'manual',
  });
  const body = await boundedBody(answer);
  const { status, statusText, headers } = answer;
  // An answer that must not have a body refuses even an empty one.
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status, statusText, headers });
};

/**
 * The same for a document that many callers wait for: after a failure nobody waits again until `retryAfterMs` have
 * passed; till then the failure is the answer.
 */
export function patientFetch(send: ProviderFetch, retryAfterMs: number, now: () => number = Date.now): ProviderFetch {
  const failures = new Map<string, { error: unknown; until: number }>();
  return async (url, options) => {
    const failed = failures.get(url);
    if (failed && failed.until > now()) throw failed.error;
    failures.delete(url);
    const remember = (error: unknown): never => {
      failures.set(url, { error, until: now() + retryAfterMs });
      throw error;
    };
    const answer = await send(url, options).catch(remember);
    if (answer.status !== 200) remember(new ProviderAnswer(url, answer.status));
    return answer;
  };
}

/** An answer that is none of use. */
class ProviderAnswer extends Error {
  constructor(url: string, status: number) {
    super(`${url} answered ${status}`);
  }
}

async function boundedBody({ body, url }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`${url} answered with more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
