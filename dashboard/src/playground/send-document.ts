import type { components } from '../../../openapi/types.d.ts';
import { apiAddress } from '../http/addresses.ts';
import { Refusal, refusalOf } from '../http/refusal.ts';

export type OcrResult = components['schemas']['OcrResult'];

/** Sends a body to the API with a session token. Throws a `Refusal` for an error, also one that came after the head. */
export async function sendDocument(body: string, { key, token }: { key: string; token: string }): Promise<OcrResult> {
  const response = await fetch(`${apiAddress()}/v1/ocr`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body,
  });
  return resultOf(response);
}

/** A request's result once it has ended. Throws a `Refusal`, with 410 where no text was kept. */
export async function readResult(id: string, token: string): Promise<OcrResult> {
  const headers = { authorization: `Bearer ${token}` };
  return resultOf(await fetch(`${apiAddress()}/v1/ocr/${encodeURIComponent(id)}`, { headers }));
}

/** `randomUUID` is not there on plain http. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `playground-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

async function resultOf(response: Response): Promise<OcrResult> {
  const answer: unknown = await response.json().catch(() => null);
  const isEnvelope = answer === null || (typeof answer === 'object' && 'error' in answer);
  if (!response.ok || isEnvelope) {
    throw refusalOf(statusOf(response, answer), answer, response.headers.get('x-request-id'));
  }
  return answer as OcrResult; // as the contract of the route has it
}

/** A slow answer commits 202 before its end is known; the real code then stands in the body. */
function statusOf(response: Response, answer: unknown): number {
  const told = (answer as { http_status?: unknown } | null)?.http_status;
  return typeof told === 'number' ? told : response.status;
}

/** Whether the account keeps no texts, so that a result cannot be read again. */
export function isNotRetained(error: unknown): boolean {
  return error instanceof Refusal && error.status === 410;
}
