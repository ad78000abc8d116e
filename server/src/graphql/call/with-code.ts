import { GraphQLError } from 'graphql';

/** An error of GraphQL itself, with the code that Apollo gives it over HTTP. */
export function withCode({ message, nodes, source, positions }: GraphQLError, code: string): GraphQLError {
  return new GraphQLError(message, { nodes, source, positions, extensions: { code } });
}
