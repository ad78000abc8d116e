import type { Delivery } from './delivery.ts';
import { signatureHeaders } from './signing/signature.ts';

/** The headers of one attempt. A ping has no request, and so no `x-service-request-id`. */
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
