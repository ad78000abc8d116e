import type { DeliveryRowFragment } from '../documents.generated.ts';

/** The seconds that an attempt was signed with: those of its beginning. */
export function timestampOf({ createdAt }: Pick<DeliveryRowFragment, 'createdAt'>): string {
  return String(Math.floor(Date.parse(createdAt) / 1000));
}

/** The headers that an attempt was sent with, but for its signature, which is not kept; none where nothing was sent. */
export function sentHeaders(
  delivery: Pick<DeliveryRowFragment, 'id' | 'requestId' | 'attempt' | 'createdAt'>,
): ReadonlyArray<readonly [string, string]> {
  const { id, requestId, attempt } = delivery;
  if (attempt === 0) return [['webhook-id', id]];
  return [
    ['content-type', 'application/json'],
    ['user-agent', 'ocr-router'],
    ...(requestId === null ? [] : [['x-service-request-id', requestId] as const]),
    ['webhook-id', id],
    ['webhook-timestamp', timestampOf(delivery)],
  ];
}
