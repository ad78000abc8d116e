import type { DeliveryRowFragment } from '../documents.generated.ts';

const TIMESTAMP = 'webhook-timestamp';
const SIGNATURE = 'webhook-signature';

/** The seconds that an attempt was signed with: those of its beginning. */
export function timestampOf({ createdAt, headers }: Pick<DeliveryRowFragment, 'createdAt' | 'headers'>): string {
  return textOf(headers?.[TIMESTAMP]) ?? String(Math.floor(Date.parse(createdAt) / 1000));
}

/** The headers that an attempt was sent with, as they were kept with it; where they were not, its id and that. A signature goes with its body. */
export function sentHeaders(
  delivery: Pick<DeliveryRowFragment, 'id' | 'attempt' | 'headers'>,
): ReadonlyArray<readonly [string, string]> {
  const { id, attempt, headers } = delivery;
  const sent: (readonly [string, string])[] = Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === null ? [] : [[name, text] as const];
  });
  if (headers && !(SIGNATURE in headers)) sent.push([SIGNATURE, 'not kept: it is made of the body, which is not kept']);
  if (sent.length > 0) return sent;
  if (attempt === 0) return [['webhook-id', id]];
  return [
    ['webhook-id', id],
    ['Other headers', 'not kept: nothing left the gateway, or a version before this one sent it'],
  ];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
