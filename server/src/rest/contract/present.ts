import { jsonSchema, type Operation, type Schema } from './contract.ts';
import type { Present } from './reply.ts';

export type Presenter = (data: unknown) => unknown;

/** Makes the presenter of an operation's answers: each status has its schema. */
export function presenterOf(operation: Operation): Present {
  const presenters = new Map([[200, presenter(jsonSchema(operation))]]);
  return (data, status = 200) => {
    const present = presenters.get(status) ?? presenter(jsonSchema(operation, String(status)));
    presenters.set(status, present);
    return present(data);
  };
}

/**
 * Compiles a schema into a function that turns data of a GraphQL answer into what the schema says. Properties that it does not
 * know are left out, a null that it does not call nullable is dropped, and a property with one possible value gets it (`object`).
 * What is marked `x-as-is` is not walked through.
 */
export function presenter(schema: Schema): Presenter {
  if (schema['x-as-is']) return (data) => data;
  if (schema.type === 'array' && schema.items) {
    const item = presenter(schema.items);
    return (data) => (Array.isArray(data) ? data.map(item) : data);
  }
  if (!schema.properties) return (data) => data;
  const properties = Object.entries(schema.properties).map(([name, property]) => ({
    name,
    nullable: property.nullable === true,
    present: presenter(property),
    constant: property.enum?.length === 1 ? property.enum[0] : undefined,
  }));
  const open = schema.additionalProperties === true;
  return (data) => {
    if (typeof data !== 'object' || data === null) return data;
    const source = data as Record<string, unknown>; // an object that is no array
    const result: Record<string, unknown> = open ? { ...source } : {};
    for (const { name, nullable, present, constant } of properties) {
      const value = constant ?? source[name];
      if (value === undefined) continue;
      if (value !== null) result[name] = present(value);
      else if (nullable) result[name] = null;
      else delete result[name];
    }
    return result;
  };
}
