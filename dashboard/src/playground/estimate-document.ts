import type { components } from '../../../openapi/types.d.ts';
import { apiAddress } from '../http/addresses.ts';
import { refusalOf } from '../http/refusal.ts';
import type { OcrBody } from './request-body.ts';

export type Estimate = components['schemas']['Estimate'];

/** What sending this would cost: the service opens the document for it, and keeps nothing. Throws a `Refusal`. */
export async function estimateDocument(body: OcrBody, token: string, signal: AbortSignal): Promise<Estimate> {
  const response = await fetch(`${apiAddress()}/v1/ocr/estimate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  const answer: unknown = await response.json().catch(() => null); // not every proxy says why
  if (!response.ok || answer === null) throw refusalOf(response.status, answer);
  return answer as Estimate; // as the contract of the route has it
}
