import { Arg, Ctx, ID, Resolver, Root, Subscription } from 'type-graphql';
import { readAccount } from '../../accounts/callers/account-scope.ts';
import { type Caller, requireScope } from '../../accounts/callers/caller.ts';
import { type Context, requireFeed } from '../../accounts/callers/context.ts';
import { RequestEvent } from './request-event.type.ts';

interface Subscribing<Args> {
  readonly args: Args;
  readonly context: Context;
}

/** What happens to requests, over a socket. */
@Resolver()
export class RequestFeedResolver {
  @Subscription(() => RequestEvent, {
    description: 'One request: how it is now, and every change. The caller’s own, or for operators any.',
    subscribe: ({ args, context }: Subscribing<{ id: string }>) =>
      requireFeed(context.requestFeed).ofRequest(context.caller, args.id),
  })
  requestChanged(
    @Arg('id', () => ID, { description: 'Request id.' }) _id: string,
    @Root() event: RequestEvent,
  ): RequestEvent {
    return event;
  }

  @Subscription(() => RequestEvent, {
    description: 'The requests of an account, from their acceptance to their end.',
    subscribe: ({ args, context }: Subscribing<{ accountId?: string | null }>) =>
      requireFeed(context.requestFeed).ofAccount(readAccount(context.caller, 'ocr:read', args.accountId)),
  })
  requestsChanged(
    @Arg('accountId', () => ID, { nullable: true, description: 'The caller’s own when absent; others for operators.' })
    _accountId: string | null | undefined,
    @Root() event: RequestEvent,
  ): RequestEvent {
    return event;
  }

  @Subscription(() => RequestEvent, {
    description: 'The requests of every account; operators only.',
    subscribe: ({ context }: Subscribing<object>) =>
      requireFeed(context.requestFeed).ofAccount(everyAccount(context.caller)),
  })
  jobFeed(@Root() event: RequestEvent, @Ctx() _context: Context): RequestEvent {
    return event;
  }
}

function everyAccount(caller: Caller | null): null {
  requireScope(caller, 'operator');
  return null;
}
