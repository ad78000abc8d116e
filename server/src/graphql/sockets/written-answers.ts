import { type ExecutionArgs, execute, type GraphQLSchema, parse } from 'graphql';

const ANY_QUERY = parse('{ __typename }');

/** Operations whose answer is written already. It goes straight to its receiver; what is iterated over only ends. */
export class WrittenAnswers {
  readonly #sends = new WeakMap<ExecutionArgs, () => void>();

  /** The arguments for `execute` of an operation that `send` answers. */
  operation(schema: GraphQLSchema, send: () => void): ExecutionArgs {
    const args: ExecutionArgs = { schema, document: ANY_QUERY, contextValue: {} };
    this.#sends.set(args, send);
    return args;
  }

  execute(args: ExecutionArgs) {
    const send = this.#sends.get(args);
    return send ? once(send) : execute(args);
  }
}

/** The iterator of an operation that sends its only result itself: it sends when it is first asked, and ends. */
// biome-ignore lint/correctness/useYield: what it has to say is said when it is asked for the first time
export async function* once(send: () => void): AsyncGenerator<never, void, void> {
  send();
}
