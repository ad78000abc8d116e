import type { Contract, Media, Schema } from './resolved-contract.ts';

export interface ShownExample {
  /** Where it stands, as a path of keys. */
  readonly place: string;
  readonly schema: Schema;
  readonly value: unknown;
}

/** Every example of a contract with the schema that it must satisfy: of bodies, parameters, headers and properties. */
export function shownExamples(contract: Contract): ShownExample[] {
  const ofSchemas = Object.entries(contract.components.schemas).flatMap(([name, schema]) => ofSchema(schema, name));
  return [...ofSchemas, ...ofHolders(contract.paths, '')];
}

function ofSchema(schema: Schema, place: string): ShownExample[] {
  const own = 'example' in schema ? [{ place, schema, value: schema.example }] : [];
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    ofSchema(property, `${place}.${name}`),
  );
  return [...own, ...properties, ...(schema.items ? ofSchema(schema.items, `${place}[]`) : [])];
}

/** Whatever holds a schema (a media type, a parameter, a header) holds its examples beside it. */
function ofHolders(node: unknown, place: string): ShownExample[] {
  if (typeof node !== 'object' || node === null) return [];
  if ('schema' in node) return ofHolder(node as Media, place); // only holders have the key `schema`
  return Object.entries(node).flatMap(([key, child]) => ofHolders(child, `${place}/${key}`));
}

function ofHolder(holder: Media, place: string): ShownExample[] {
  const { schema, examples = {} } = holder;
  const named = Object.entries(examples).map(([name, { value }]) => ({ place: `${place}#${name}`, schema, value }));
  return 'example' in holder ? [...named, { place, schema, value: holder.example }] : named;
}
