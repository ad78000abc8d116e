import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { requireSession } from '../accounts/caller.ts';
import type { Context } from '../accounts/context.ts';
import { Delivery } from './delivery.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { Registrations } from './registrations.ts';
import { Webhook } from './webhook.ts';

/** Webhooks belong to the dashboard: a login manages them, never a key. */
@Resolver(() => Webhook)
export class WebhooksResolver {
  constructor(
    private readonly registrations: Registrations,
    private readonly log: DeliveryLog,
  ) {}

  @Query(() => [Webhook], { description: 'The account’s registered callback URLs, oldest first. Needs a login.' })
  webhooks(@Ctx() { caller }: Context): Promise<Webhook[]> {
    return this.registrations.list(requireSession(caller).accountId);
  }

  @Query(() => [Delivery], {
    description:
      'The latest 100 delivery attempts, newest first: to one registration, or of the account. Needs a login.',
  })
  async webhookDeliveries(
    @Arg('webhookId', () => ID, { nullable: true, description: 'Webhook id; all of the account when absent.' })
    webhookId: string | undefined,
    @Ctx() { caller }: Context,
  ): Promise<Delivery[]> {
    const { accountId } = requireSession(caller);
    if (webhookId == null) return this.log.ofAccount(accountId);
    return this.log.ofWebhook(await this.registrations.find(accountId, webhookId));
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

  @Mutation(() => ID, { description: 'Removes a registration and its delivery log for good. Needs a login.' })
  async deleteWebhook(
    @Arg('id', () => ID, { description: 'Webhook id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<string> {
    await this.registrations.remove(requireSession(caller).accountId, id);
    return id;
  }

  @Mutation(() => Delivery, { description: 'Sends the event `webhook.test` to a registration. Needs a login.' })
  async testWebhook(
    @Arg('id', () => ID, { description: 'Webhook id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<Delivery> {
    return this.log.ping(await this.registrations.find(requireSession(caller).accountId, id));
  }

  @Mutation(() => Delivery, {
    description: 'Sends a delivery again, with the same id and the same bytes. Needs a login.',
  })
  redeliverWebhook(
    @Arg('deliveryId', () => ID, { description: 'Delivery id.' }) deliveryId: string,
    @Ctx() { caller }: Context,
  ): Promise<Delivery> {
    return this.log.redeliver(requireSession(caller).accountId, deliveryId);
  }
}
