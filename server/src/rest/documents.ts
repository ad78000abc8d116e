import { readdirSync, readFileSync } from 'node:fs';
import { concatAST, type DocumentNode, parse, separateOperations } from 'graphql';

type Folder = 'operations' | 'operations/dashboard' | 'events';

/**
 * Reads the GraphQL document of every operation, by operationId, with the fragments that it spreads. The tests check each against
 * the schema, so a start does not. A file of `fragments/` has what several documents select of a type, and is named as the
 * contract's schema that it answers.
 */
export function readDocuments(folder: Folder = 'operations'): Map<string, DocumentNode> {
  const operations = parseFolder(folder);
  const documents = separateOperations(concatAST([...operations.values(), ...parseFolder('fragments').values()]));
  return new Map(
    [...operations.keys()].map((name) => {
      const document = documents[name];
      if (!document) throw new Error(`${name}.graphql has no operation of its name`);
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
