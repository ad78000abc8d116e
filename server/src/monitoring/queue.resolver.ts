import { Ctx, Query, Resolver } from 'type-graphql';
import { requireScope } from '../accounts/caller.ts';
import type { Context } from '../accounts/context.ts';
import { EngineQueue, WorkerState } from './queue.type.ts';
import type { QueueBook } from './queue-book.ts';

/** The queue as operators watch it. */
@Resolver()
export class QueueResolver {
  constructor(private readonly book: QueueBook) {}

  @Query(() => [EngineQueue], { description: 'What waits and what is at work, by engine; operators only.' })
  queues(@Ctx() { caller }: Context): Promise<EngineQueue[]> {
    requireScope(caller, 'operator');
    return this.book.queues();
  }

  @Query(() => [WorkerState], { description: 'Processes that hold leases; operators only.' })
  workers(@Ctx() { caller }: Context): Promise<WorkerState[]> {
    requireScope(caller, 'operator');
    return this.book.workers();
  }
}
