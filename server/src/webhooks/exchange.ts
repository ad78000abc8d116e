import { type Agent, request } from 'undici';
import { failureCode } from '../platform/connections/failure-code.ts';
import { isPrivateAddress } from '../platform/egress/egress.ts';
import { fewInterimAnswers } from '../platform/egress/interim-answers.ts';

/**
 * The outcome of one POST. The log shows it, so `error` does not tell what the receiver wrote, nor why a connection failed, unless
 * that was asked for.
 */
export interface Exchange {
  readonly delivered: boolean;
  readonly responseCode: number | null;
  /** Milliseconds until the status or the failure; null where nothing was sent. */
  readonly latencyMs: number | null;
  readonly error: string | null;
}

export interface ExchangeOptions {
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Ends the exchange early: `exchange` throws its reason then. */
  readonly signal: AbortSignal;
  /** Whether `error` says why a connection failed: only where an operator chose the URL, for strangers would explore by it. */
  readonly saysWhy?: boolean;
}

/** Most bytes and time for discarding the body of an answer, so that the receiver sees an orderly end. */
const DRAINED_BYTES = 4096;
const DRAINED_MS = 1000;

/**
 * Sends one POST and answers its status. Redirects are not followed; only a 2xx counts as delivered. Throws only when `signal`
 * aborts.
 */
export async function exchange(url: string, options: ExchangeOptions): Promise<Exchange> {
  const { agent, headers, body, timeoutMs, signal, saysWhy = false } = options;
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
      onInfo: fewInterimAnswers(),
      signal: AbortSignal.any([signal, late]),
    });
    void answer.body.dump({ limit: DRAINED_BYTES, signal: AbortSignal.timeout(DRAINED_MS) }).catch(() => undefined);
    return answered(answer.statusCode, latencyMs());
  } catch (error) {
    signal.throwIfAborted();
    if (isPrivateAddress(error)) return failed('The URL does not lead to a public address.', null);
    if (late.aborted) return failed(`No answer within ${timeoutMs / 1000} seconds.`, latencyMs());
    const code = saysWhy ? failureCode(error) : '';
    return failed(code === '' ? 'The connection failed.' : `The connection failed (${code}).`, latencyMs());
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
