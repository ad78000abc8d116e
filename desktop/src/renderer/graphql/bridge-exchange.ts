import { type Exchange, type ExecutionResult, subscriptionExchange } from 'urql';
import type { Bridge, GraphqlResult } from '../../shared/channels.ts';

/** Every operation of urql goes over the bridge; the token stays on its other side. */
export function bridgeExchange(bridge: Bridge): Exchange {
  let lastId = 0;
  return subscriptionExchange({
    enableAllOperations: true,
    forwardSubscription: ({ query = '', variables }, operation) => ({
      subscribe: (sink) => {
        const input = { query, variables: (variables ?? {}) as Record<string, unknown> }; // urql has checked them
        if (operation.kind !== 'subscription') return execute(bridge, input, sink);
        lastId += 1;
        return subscribe(bridge, { id: `s${lastId}`, ...input }, sink);
      },
    }),
  });
}

interface Sink {
  next(result: ExecutionResult): void;
  error(error: unknown): void;
  complete(): void;
}

interface Operation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

function execute(bridge: Bridge, operation: Operation, sink: Sink): { unsubscribe: () => void } {
  let open = true;
  bridge.invoke('graphql.execute', operation).then(
    (result) => {
      if (!open) return;
      sink.next(resultOf(result));
      sink.complete();
    },
    (error: unknown) => {
      if (open) sink.error(error);
    },
  );
  return {
    unsubscribe: () => {
      open = false;
    },
  };
}

function subscribe(bridge: Bridge, operation: Operation & { readonly id: string }, sink: Sink) {
  const { id } = operation;
  const ask = () => bridge.invoke('graphql.subscribe', operation);
  const stopEvents = bridge.on('graphql.event', (event) => {
    if (event.id !== id) return;
    if (event.data !== undefined || event.errors !== undefined) sink.next(resultOf(event));
    if (!event.complete) return;
    stop();
    sink.complete();
  });
  const stopReturns = bridge.on('bridge.back', () => void ask().catch(() => {})); // lost again: it comes back again
  const stop = (): void => {
    stopEvents();
    stopReturns();
  };
  ask().catch((error: unknown) => sink.error(error));
  return {
    unsubscribe: () => {
      stop();
      // The answer is of no interest: without a connection there is nothing left to end.
      bridge.invoke('graphql.unsubscribe', { id }).catch(() => {});
    },
  };
}

function resultOf({ data, errors }: GraphqlResult): ExecutionResult {
  return { data: data ?? null, errors: errors?.map((error) => ({ ...error })) };
}
