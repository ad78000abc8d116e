import type { ApolloServerPlugin } from '@apollo/server';
import {
  type FieldNode,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getArgumentValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../../accounts/callers/context.ts';
import { AppError, isErrorCode } from '../../platform/errors.ts';

/** Reports every call over HTTP that is answered with errors and nothing else. */
export function refusedCalls(): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response: { body }, contextValue, schema, operation, request }) {
          const refusal = body.kind === 'single' ? refusalIn(body.singleResult) : null;
          if (refusal === null) return;
          const engine = operation ? engineAskedFor(schema, operation, request.variables ?? {}) : null;
          contextValue.onRefused?.(refusal, engine);
        },
      };
    },
  };
}

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly (GraphQLError | GraphQLFormattedError)[];
}

/** The first error of an answer that has errors only; null where some field was answered. */
export function refusalIn({ data, errors }: Result): AppError | null {
  const [first] = errors ?? [];
  const isAnswered = Object.values(data ?? {}).some((value) => value !== null);
  return first === undefined || isAnswered ? null : refusalOf(first);
}

/** The error as one of REST. GraphQL's own codes, for documents and values that it refuses, become `invalid_request`. */
export function refusalOf(error: GraphQLError | GraphQLFormattedError): AppError {
  const code = error.extensions?.['code'];
  return new AppError(typeof code === 'string' && isErrorCode(code) ? code : 'invalid_request', error.message);
}

/** The engine that an operation asks for: that of the first root field that names one, by itself or in its `request`. */
export function engineAskedFor(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): string | null {
  const fields = schema.getRootType(operation)?.getFields() ?? {};
  for (const node of selectionSet.selections.filter((each): each is FieldNode => each.kind === Kind.FIELD)) {
    const field = fields[node.name.value];
    const given = field === undefined ? {} : argumentsOf(() => getArgumentValues(field, node, variables));
    const engine = engineIn(given) ?? engineIn(given['request']);
    if (engine !== null) return engine;
  }
  return null;
}

/** The arguments of a field; none where their types are wrong, for which the call was refused then. */
function argumentsOf(read: () => Record<string, unknown>): Record<string, unknown> {
  try {
    return read();
  } catch {
    return {};
  }
}

/** The engine that a value names; null where it names none. */
export function engineIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('engine' in value)) return null;
  return typeof value.engine === 'string' ? value.engine : null;
}
