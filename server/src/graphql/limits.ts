import { type ASTVisitor, GraphQLError, Kind, type OperationDefinitionNode, type ValidationContext } from 'graphql';
import { Measure } from './measure.ts';
import { rootFields } from './root-fields.ts';

/** Beyond these an operation is refused before anything of it runs. */
const MOST = { depth: 10, aliases: 30, rootFields: 20, cost: 5000 } as const;
export const MOST_TOKENS = 2000;
/** What Apollo counts: selections with every fragment written out. */
export const MOST_SELECTIONS = 10_000;

/** GraphQL's own rules and this one: an operation that is too large is not valid. */
export function sizeRule(context: ValidationContext): ASTVisitor {
  const document = context.getDocument();
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const measure = new Measure(context.getSchema(), fragments);
  return {
    OperationDefinition(operation: OperationDefinitionNode) {
      const root = context.getSchema().getRootType(operation.operation);
      if (!root) return;
      const size = {
        ...measure.of(operation.selectionSet, root.name),
        rootFields: rootFields(operation, document).length,
      };
      for (const [what, most] of Object.entries(MOST)) {
        const value = size[what as keyof typeof MOST]; // the keys of the same table
        if (value > most) context.reportError(tooMuch(what, value, most, operation));
      }
    },
  };
}

function tooMuch(what: string, value: number, most: number, operation: OperationDefinitionNode): GraphQLError {
  const message = `The operation is too large: ${what} ${value}, of at most ${most}. Ask for less at once.`;
  return new GraphQLError(message, { nodes: [operation] });
}
