import { readdirSync, readFileSync } from 'node:fs';
import { type DocumentNode, type GraphQLSchema, parse, validate } from 'graphql';

type Folder = 'operations' | 'operations/dashboard';

/** The GraphQL document of every operation, by operationId; each is checked against the schema once, at start. */
export function readDocuments(schema: GraphQLSchema, folder: Folder = 'operations'): Map<string, DocumentNode> {
  const place = new URL(`./${folder}/`, import.meta.url);
  const names = readdirSync(place).filter((name) => name.endsWith('.graphql'));
  return new Map(
    names.map((name) => {
      const document = parse(readFileSync(new URL(name, place), 'utf8'));
      const mistakes = validate(schema, document);
      if (mistakes.length > 0) throw new Error(`${name}: ${mistakes.map(({ message }) => message).join('; ')}`);
      return [name.replace(/\.graphql$/, ''), document] as const;
    }),
  );
}
