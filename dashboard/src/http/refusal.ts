import { failureText, NO_ANSWER } from '@ocr-router/ui/graphql/failure-text.ts';
import { CombinedError } from 'urql';

/** What the service said when it refused a call over HTTP: the envelope of every error. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** What came of the call: `ocr_…` of a request, `req_…` of a call that was refused; null where the answer names none. */
  readonly requestId: string | null;

  constructor(status: number, code: string, message: string, requestId: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** The envelope of an answer, or a sentence about an answer that has none. */
export function refusalOf(status: number, body: unknown, requestId: string | null = null): Refusal {
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error;
  const code = typeof error?.code === 'string' ? error.code : 'internal_error';
  const message = typeof error?.message === 'string' ? error.message : `The service answered with HTTP ${status}.`;
  return new Refusal(status, code, message, requestId);
}

/** What to tell people of anything that was thrown by a call. */
export function refusalText(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof CombinedError) return failureText(error);
  return NO_ANSWER;
}
