import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  buildSchema,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

const SCHEMA = buildSchema(readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8'));

/** A selection of everything that a type of the schema shows, down to its leaves, without the fields that are named. */
export function wholeSelection(typeName: string, without: readonly string[] = []): string {
  const type = SCHEMA.getType(typeName);
  if (!isObjectType(type)) throw new Error(`${typeName} is no object of the schema`);
  return selectionOf(type, without, [type.name]);
}

function selectionOf(type: GraphQLObjectType, without: readonly string[], path: readonly string[]): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (without.includes(field.name) || field.args.some(isRequiredArgument)) return [];
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) return [field.name];
    if (!isObjectType(inner) || path.includes(inner.name)) return [];
    return [`${field.name} ${selectionOf(inner, without, [...path, inner.name])}`];
  });
  return `{ ${fields.join(' ')} }`;
}
