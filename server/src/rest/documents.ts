import { readdirSync, readFileSync } from 'node:fs';
import { concatAST, type DocumentNode, type GraphQLSchema, parse, separateOperations, validate } from 'graphql';

type Folder = 'operations' | 'operations/dashboard' | 'events';

/**
 * The GraphQL document of every operation, by operationId, with the fragments that it spreads; each is checked against
 * the schema once, at start. A file of `fragments/` is what several documents select of a type, named as the contract's
 * schema that it answers.
 */
export function readDocuments(schema: GraphQLSchema, folder: Folder = 'operations'): Map<string, DocumentNode> {
  const fragments = [...parseFolder('fragments').values()];
  return new Map(
    [...parseFolder(folder)].map(([name, operation]) => {
      const document = separateOperations(concatAST([operation, ...fragments]))[name];
      if (!document) throw new Error(`${name}.graphql has no operation of its name`);
      const mistakes = validate(schema, document);
      if (mistakes.length > 0) throw new Error(`${name}.graphql: ${mistakes.map(({ message }) => message).join('; ')}`);
      return [name, document] as const;
    }),
  );
}

function parseFolder(folder: Folder | 'fragments'): Map<string, DocumentNode> {
  const place = new URL(`./${folder}/`, import.meta.url);
  const names = readdirSync(place).filter((name) => name.endsWith('.graphql'));
  return new Map(
    names.map((name) => [name.replace(/\.graphql$/, ''), parse(readFileSync(new URL(name, place), 'utf8'))] as const),
  );
}
