import { type DocumentNode, Kind, type OperationTypeNode, parse } from 'graphql';
import { Refused } from '../refused.ts';

const MOST_TOKENS = 4000;

/** What a GraphQL document does. It must do one thing: of several operations the gateway would have to be told which. */
export function documentKind(query: string): `${OperationTypeNode}` {
  const kinds = parsed(query).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.operation] : [],
  );
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) throw new Refused('A document must have exactly one operation.');
  return kind;
}

function parsed(query: string): DocumentNode {
  try {
    return parse(query, { maxTokens: MOST_TOKENS, noLocation: true });
  } catch (cause) {
    throw new Refused('This is not a GraphQL document.', { cause });
  }
}
