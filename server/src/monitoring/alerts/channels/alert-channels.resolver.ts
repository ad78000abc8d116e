import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { requireScope } from '../../../accounts/callers/caller.ts';
import type { Context } from '../../../accounts/callers/context.ts';
import type { RateLimiter } from '../../../accounts/callers/rate-limit.ts';
import { AlertKind } from '../kinds/alert-kind.ts';
import { AlertChannel, AlertChannelKind, AlertDelivery } from './alert-channel.ts';
import type { ChannelStore } from './channel-store.ts';
import type { DeliveryQueue } from './delivery-queue.ts';

const TESTS_A_MINUTE = 10;

const TARGET = 'Public http or https URL; for `email` one to ten addresses, comma separated.';
const KINDS = 'The kinds of alerts that are sent there;';

/** The channels that alerts are sent to, for operators. */
@Resolver()
export class AlertChannelsResolver {
  constructor(
    private readonly channels: ChannelStore,
    private readonly deliveries: DeliveryQueue,
    private readonly limiter: Pick<RateLimiter, 'spend'>,
  ) {}

  @Query(() => [AlertChannel], { description: 'Where alerts are sent, oldest first; operators only.' })
  alertChannels(@Ctx() { caller }: Context): Promise<AlertChannel[]> {
    requireScope(caller, 'operator');
    return this.channels.list();
  }

  @Query(() => [AlertDelivery], { description: 'The latest 50 notices to channels, newest first; operators only.' })
  alertDeliveries(
    @Arg('channelId', () => ID, { nullable: true, description: 'To one channel; to all when absent.' })
    channelId: string | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<AlertDelivery[]> {
    requireScope(caller, 'operator');
    return this.deliveries.list(channelId ?? null);
  }

  @Mutation(() => AlertChannel, {
    description: 'Adds a channel, of which there are 20 at most; a `webhook` comes with its secret. Operators only.',
  })
  createAlertChannel(
    @Arg('kind', () => AlertChannelKind, { description: 'How alerts are sent there.' }) kind: AlertChannelKind,
    @Arg('label', () => String, { description: 'A name for people.' }) label: string,
    @Arg('target', () => String, { description: TARGET }) target: string,
    @Arg('kinds', () => [AlertKind], { nullable: true, description: `${KINDS} all when absent.` })
    kinds: AlertKind[] | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<AlertChannel> {
    requireScope(caller, 'operator');
    return this.channels.create({ kind, label, target, kinds });
  }

  @Mutation(() => AlertChannel, { description: 'Changes the fields that are given; operators only.' })
  updateAlertChannel(
    @Arg('id', () => ID, { description: 'Channel id.' }) id: string,
    @Arg('label', () => String, { nullable: true, description: 'A name for people.' }) label: string | null | undefined,
    @Arg('target', () => String, { nullable: true, description: TARGET }) target: string | null | undefined,
    @Arg('isActive', () => Boolean, { nullable: true, description: 'False: nothing is sent there.' })
    isActive: boolean | null | undefined,
    @Arg('kinds', () => [AlertKind], { nullable: true, description: `${KINDS} an empty list means all.` })
    kinds: AlertKind[] | null | undefined,
    @Ctx() { caller }: Context,
  ): Promise<AlertChannel> {
    requireScope(caller, 'operator');
    return this.channels.update(id, { label, target, isActive, kinds });
  }

  @Mutation(() => AlertChannel, {
    description:
      'Makes a new signing secret for a channel of kind `webhook`; the former one, and those before it, sign beside it for 24 hours after their change, the latest four. Operators only.',
  })
  rotateAlertChannelSecret(
    @Arg('id', () => ID, { description: 'Channel id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<AlertChannel> {
    requireScope(caller, 'operator');
    return this.channels.rotateSecret(id);
  }

  @Mutation(() => ID, { description: 'Removes a channel and what is known of its notices; operators only.' })
  async deleteAlertChannel(
    @Arg('id', () => ID, { description: 'Channel id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<string> {
    requireScope(caller, 'operator');
    await this.channels.remove(id);
    return id;
  }

  @Mutation(() => AlertDelivery, {
    description: 'Sends a notice that says that the channel works, 10 times a minute at most; operators only.',
  })
  async testAlertChannel(
    @Arg('id', () => ID, { description: 'Channel id.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<AlertDelivery> {
    requireScope(caller, 'operator');
    const channel = await this.channels.find(id);
    const rule = `A channel may be tried out ${TESTS_A_MINUTE} times a minute.`;
    await this.limiter.spend(`alert-test:${id}`, TESTS_A_MINUTE, rule);
    return this.deliveries.test(channel.id);
  }
}
