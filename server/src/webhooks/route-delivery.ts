import type { DeliveryEvent } from './delivery.ts';
import type { WebhookEvent } from './webhook.ts';

/** A registration of the delivery's URL, with decrypted secrets. */
export interface Registration {
  readonly id: string;
  readonly secret: string;
  /** Those that sign for 24 hours after their change. */
  readonly formerSecrets: readonly string[];
  readonly isActive: boolean;
  readonly events: readonly WebhookEvent[];
}

export type Route =
  | { readonly kind: 'send'; readonly webhookId: string | null; readonly secrets: readonly string[] }
  | { readonly kind: 'skip'; readonly webhookId: string; readonly reason: string };

/**
 * Decides whether a delivery is sent, and which secrets sign it. `registrations` are those of its URL, oldest first. All active
 * ones that receive the event sign, each also with its former secrets where it has some; without any registration the account's
 * secret signs.
 */
export function routeDelivery(
  delivery: { readonly event: DeliveryEvent; readonly isFailure: boolean },
  registrations: readonly Registration[],
  accountSecret: string,
): Route {
  const [oldest] = registrations;
  if (!oldest) return { kind: 'send', webhookId: null, secrets: [accountSecret] };
  const active = registrations.filter(({ isActive }) => isActive);
  if (!active[0]) return { kind: 'skip', webhookId: oldest.id, reason: 'The registration is not active.' };
  const receiving = active.filter(({ events }) => receives(events, delivery));
  if (!receiving[0]) {
    return { kind: 'skip', webhookId: active[0].id, reason: 'The registration receives failures only.' };
  }
  return { kind: 'send', webhookId: receiving[0].id, secrets: receiving.flatMap(secretsOf) };
}

function secretsOf({ secret, formerSecrets }: Registration): string[] {
  return [secret, ...formerSecrets];
}

function receives(
  events: readonly WebhookEvent[],
  { event, isFailure }: { event: DeliveryEvent; isFailure: boolean },
): boolean {
  return event === 'webhook.test' || isFailure || events.includes('ocr.completed');
}
