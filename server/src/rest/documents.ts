import { readdirSync, readFileSync } from 'node:fs';
import { type DocumentNode, type GraphQLSchema, parse, validate } from 'graphql';

const FOLDER = new URL('./operations/', import.meta.url);

/** The GraphQL document of every operation, by operationId; each is checked against the schema once, at start. */
export function readDocuments(schema: GraphQLSchema): Map<string, DocumentNode> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.graphql'));
  return new Map(
    names.map((name) => {
      const document = parse(readFileSync(new URL(name, FOLDER), 'utf8'));
      const mistakes = validate(schema, document);
      if (mistakes.length > 0) throw new Error(`${name}: ${mistakes.map(({ message }) => message).join('; ')}`);
      return [name.replace(/\.graphql$/, ''), document] as const;
    }),
  );
}
