import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type DefinitionNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';

/** All documents of a face, as one. */
export function readFace(folder: string): DocumentNode {
  const root = resolve(import.meta.dirname, '../../..', folder);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.graphql'));
  return parse(names.map((name) => readFileSync(join(root, name), 'utf8')).join('\n'));
}

/** An operation of a face with the fragments that it spreads, as it is sent. */
export function operationOf(face: DocumentNode, name: string): string {
  const operation = face.definitions.find(
    (each) => each.kind === Kind.OPERATION_DEFINITION && each.name?.value === name,
  );
  if (!operation) throw new Error(`there is no operation ${name}`);
  return [...withFragments(face, operation, new Set())].map(print).join('\n');
}

function withFragments(
  face: DocumentNode,
  definition: DefinitionNode,
  found: Set<DefinitionNode>,
): Set<DefinitionNode> {
  if (found.has(definition)) return found;
  found.add(definition);
  visit(definition, {
    FragmentSpread({ name }) {
      const fragment = face.definitions.find(
        (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name.value,
      );
      if (fragment) withFragments(face, fragment, found);
    },
  });
  return found;
}
