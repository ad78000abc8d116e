import type { Delivery } from './delivery.ts';
import { signatureHeaders } from './signing/signature.ts';

/** The headers of one attempt; a ping has no request to name. */
export function deliveryHeaders(
  { id, requestId }: Delivery,
  body: string,
  signing: { secrets: readonly string[]; at: Date },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'ocr-router',
    ...(requestId !== null && { 'x-service-request-id': requestId }),
    ...signatureHeaders(id, body, signing),
  };
}
