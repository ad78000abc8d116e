import { type Agent, request } from 'undici';
import { isPrivateAddress } from '../platform/egress/egress.ts';

/** What came of one POST. The log shows it, so it says nothing of what the receiver wrote or why a connection failed. */
export interface Exchange {
  readonly delivered: boolean;
  readonly responseCode: number | null;
  /** Null when nothing was sent. */
  readonly latencyMs: number | null;
  readonly error: string | null;
}

export interface ExchangeOptions {
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Ends the exchange early; then it throws. */
  readonly signal: AbortSignal;
}

/** An answer's body is not read: so much of it is taken off the wire, this long, that the receiver sees an orderly end. */
const DRAINED_BYTES = 4096;
const DRAINED_MS = 1000;

/** One POST, answered by the status alone. Redirects are not followed; only a 2xx is a delivery. */
export async function exchange(url: string, options: ExchangeOptions): Promise<Exchange> {
  const { agent, headers, body, timeoutMs, signal } = options;
  const late = AbortSignal.timeout(timeoutMs);
  const started = performance.now();
  const latencyMs = () => Math.round(performance.now() - started);
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers,
      body,
      // A connection that was kept may be closed while we write to it, and its address is that of an earlier look-up.
      reset: true,
      signal: AbortSignal.any([signal, late]),
    });
    void answer.body.dump({ limit: DRAINED_BYTES, signal: AbortSignal.timeout(DRAINED_MS) }).catch(() => undefined);
    return answered(answer.statusCode, latencyMs());
  } catch (error) {
    signal.throwIfAborted();
    if (isPrivateAddress(error)) return failed('The URL does not lead to a public address.', null);
    if (late.aborted) return failed(`No answer within ${timeoutMs / 1000} seconds.`, latencyMs());
    return failed('The connection failed.', latencyMs());
  }
}

function answered(status: number, latencyMs: number): Exchange {
  if (status >= 200 && status < 300) return { delivered: true, responseCode: status, latencyMs, error: null };
  const more = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  return { delivered: false, responseCode: status, latencyMs, error: `The receiver answered ${status}.${more}` };
}

function failed(error: string, latencyMs: number | null): Exchange {
  return { delivered: false, responseCode: null, latencyMs, error };
}
