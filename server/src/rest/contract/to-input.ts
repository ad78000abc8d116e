import type { Schema } from './contract.ts';

/** A request body as GraphQL variables, and the paths of the properties that the schema does not know. */
export interface Translated {
  readonly input: unknown;
  readonly unknown: string[];
}

type Translate = (value: unknown, path: string, unknown: string[]) => unknown;

const compiled = new WeakMap<Schema, Translate>();

/**
 * Translates a request body into GraphQL variables: known properties get their camelCase names, unknown ones are left out and
 * listed by path. A free object (without properties in the schema) is handed on as it is. Compiled once for each schema.
 */
export function toInput(schema: Schema, body: unknown): Translated {
  const translate = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, translate);
  const unknown: string[] = [];
  return { input: translate(body, '', unknown), unknown };
}

function compile(schema: Schema): Translate {
  if (schema.type === 'array' && schema.items) {
    const item = compile(schema.items);
    return (value, path, unknown) =>
      Array.isArray(value) ? value.map((inner, i) => item(inner, `${path}[${i}]`, unknown)) : value;
  }
  if (!schema.properties) return (value) => value;
  const known = new Map(
    Object.entries(schema.properties).map(([name, property]) => [
      name,
      { name: camelCase(name), translate: compile(property) },
    ]),
  );
  return (value, path, unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const input: Record<string, unknown> = {};
    for (const name of Object.keys(value)) {
      const property = known.get(name);
      const inner: unknown = (value as Record<string, unknown>)[name];
      if (property && (typeof inner !== 'object' || inner === null)) input[property.name] = inner;
      else if (property) input[property.name] = property.translate(inner, placeOf(path, name), unknown);
      else unknown.push(placeOf(path, name));
    }
    return input;
  };
}

function placeOf(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
