import { Resolver, Root, Subscription } from 'type-graphql';
import { requireScope } from '../accounts/callers/caller.ts';
import { type Context, requireFeed } from '../accounts/callers/context.ts';
import type { OperationsFeed } from './operations-feed.ts';
import { EngineQueue } from './queue/queue.type.ts';
import { EngineHealth } from './series/series.type.ts';

/** Subscriptions of operators to the state of engines and queues. */
@Resolver()
export class OperationsFeedResolver {
  @Subscription(() => [EngineHealth], {
    description: 'Health of all engines: now, and whenever the health of one or the way to it changes. Operators only.',
    subscribe: ({ context }: { context: Context }) => feedFor(context).health.watch(),
  })
  engineHealthChanged(@Root() engines: EngineHealth[]): EngineHealth[] {
    return engines;
  }

  @Subscription(() => [EngineQueue], {
    description: 'What waits and what is at work, by engine: now, and at every change. Operators only.',
    subscribe: ({ context }: { context: Context }) => feedFor(context).queues.watch(),
  })
  queuesChanged(@Root() queues: EngineQueue[]): EngineQueue[] {
    return queues;
  }
}

function feedFor({ caller, operationsFeed }: Context): OperationsFeed {
  requireScope(caller, 'operator');
  return requireFeed(operationsFeed);
}
