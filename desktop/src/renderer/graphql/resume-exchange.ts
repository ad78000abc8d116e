import { type Exchange, makeOperation, mapExchange, type Operation } from 'urql';

interface Reconnections {
  /** Calls back whenever the gateway is reached again. */
  subscribe(onLive: () => void): () => void;
}

/** After a reconnection every query that a page shows is asked again: events were missed in between. */
export function resumeExchange(reconnections: Reconnections): Exchange {
  return (input) => {
    const open = new Map<number, Operation>();
    reconnections.subscribe(() => {
      for (const operation of open.values()) {
        const context = { ...operation.context, requestPolicy: 'network-only' as const };
        input.client.reexecuteOperation(makeOperation('query', operation, context));
      }
    });
    const follow = mapExchange({
      onOperation: (operation) => {
        if (operation.kind === 'query') open.set(operation.key, operation);
        if (operation.kind === 'teardown') open.delete(operation.key);
      },
    });
    return follow(input);
  };
}
