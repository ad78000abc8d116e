import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { isOperator, managedAccount } from '../accounts/callers/account-scope.ts';
import { type Caller, requireSession } from '../accounts/callers/caller.ts';
import type { Context } from '../accounts/callers/context.ts';
import type { RateLimiter } from '../accounts/callers/rate-limit.ts';
import { Delivery } from './delivery.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { Registrations } from './registrations.ts';
import { shownDelivery, shownUrl } from './shown-delivery.ts';
import { Webhook } from './webhook.ts';

/** Most test events of an account in a minute: an account may register any server, and none is to be called more often. */
const PINGS_A_MINUTE = 10;

const OWN_OR_ANY = 'Account id; the caller’s own when absent, another one for operators only.';

/** Webhooks belong to the dashboard: a login manages them, never a key. Operators may list them, and send deliveries again. */
@Resolver(() => Webhook)
export class WebhooksResolver {
  constructor(
    private readonly registrations: Registrations,
    private readonly log: DeliveryLog,
    private readonly limiter: Pick<RateLimiter, 'spend'>,
  ) {}

  @Query(() => [Webhook], {
    description:
      'The account’s registered callback URLs, oldest first. Needs a login, or `operator`, who sees no queries of those of others.',
  })
  async webhooks(
    @Arg('accountId', () => ID, { nullable: true, description: OWN_OR_ANY }) accountId: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Webhook[]> {
    const owner = seenAccount(caller, accountId);
    const list = await this.registrations.list(owner);
    return list.map((webhook) => Object.assign(webhook, { url: shownUrl(caller, webhook) }));
  }

  @Query(() => [Delivery], {
    description:
      'The latest 100 delivery attempts, newest first: to one registration, or of the account. Needs a login, or ' +
      '`operator`, who sees no bodies and no queries of URLs of other accounts, nor bodies of its own without `ocr:read`.',
  })
  async webhookDeliveries(
    @Arg('webhookId', () => ID, { nullable: true, description: 'Webhook id; all of the account when absent.' })
    webhookId: string | null | undefined,
    @Arg('accountId', () => ID, { nullable: true, description: OWN_OR_ANY }) accountId: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Delivery[]> {
    const owner = seenAccount(caller, accountId);
    const list =
      webhookId == null
        ? this.log.ofAccount(owner)
        : this.log.ofWebhook(await this.registrations.find(owner, webhookId));
    return (await list).map((delivery) => shownDelivery(caller, delivery));
  }

  @Mutation(() => Webhook, { description: 'Registers a callback URL; at most 10 an account. Needs a login.' })
  createWebhook(
    @Arg('url', () => String, { description: 'Public http or https URL.' }) url: string,
    @Arg('label', () => String, { nullable: true, description: 'A name for people.' }) label: string | undefined,
    @Arg('events', () => [String], { nullable: true, description: 'What it receives; `ocr.completed` when absent.' })
    events: string[] | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Webhook> {
    return this.registrations.create(requireSession(caller).accountId, { url, label, events });
  }

  @Mutation(() => Webhook, { description: 'Changes the fields that are given. Needs a login.' })
  updateWebhook(
    @Arg('id', () => ID, { description: 'Webhook id.' }) id: string,
    @Arg('url', () => String, { nullable: true, description: 'Public http or https URL.' }) url: string | undefined,
    @Arg('label', () => String, { nullable: true, description: 'A name for people.' }) label: string | undefined,
    @Arg('events', () => [String], { nullable: true, description: 'What it receives.' }) events: string[] | undefined,
    @Arg('isActive', () => Boolean, { nullable: true, description: 'False stops its deliveries.' })
    isActive: boolean | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Webhook> {
    return this.registrations.update(requireSession(caller).accountId, id, { url, label, events, isActive });
  }

  @Mutation(() => Webhook, {
    description:
      'Makes a new signing secret; the former one, and those before it, sign beside it for 24 hours after their change, the latest four. Needs a login.',
  })
  rotateWebhookSecret(
    @Arg('id', () => ID, { description: 'Webhook id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<Webhook> {
    return this.registrations.rotateSecret(requireSession(caller).accountId, id);
  }

  @Mutation(() => ID, { description: 'Removes a registration and its delivery log for good. Needs a login.' })
  async deleteWebhook(
    @Arg('id', () => ID, { description: 'Webhook id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<string> {
    await this.registrations.remove(requireSession(caller).accountId, id);
    return id;
  }

  @Mutation(() => Delivery, {
    description: 'Sends the event `webhook.test` to a registration, 10 times a minute at most. Needs a login.',
  })
  async testWebhook(
    @Arg('id', () => ID, { description: 'Webhook id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<Delivery> {
    const { accountId } = requireSession(caller);
    const webhook = await this.registrations.find(accountId, id);
    await this.limiter.spend(
      `ping:${accountId}`,
      PINGS_A_MINUTE,
      `An account may send ${PINGS_A_MINUTE} test events a minute.`,
    );
    return this.log.ping(webhook);
  }

  @Mutation(() => Delivery, {
    description:
      'Sends a delivery again, with the same id and the same bytes. Needs a login; operators, of any account.',
  })
  async redeliverWebhook(
    @Arg('deliveryId', () => ID, { description: 'Delivery id.' }) deliveryId: string,
    @Ctx() { caller }: Context,
  ): Promise<Delivery> {
    if (!isOperator(caller)) return this.log.redeliver(requireSession(caller).accountId, deliveryId);
    return shownDelivery(caller, await this.log.redeliver(null, deliveryId));
  }
}

/**
 * The account whose webhooks the caller asks for. Another one than its own needs `operator`; a caller without `operator` needs a
 * login.
 */
function seenAccount(caller: Caller | null, accountId: string | null | undefined): string {
  if (!isOperator(caller)) requireSession(caller);
  return managedAccount(caller, accountId);
}
