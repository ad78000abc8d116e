import { jsonSchema, type Operation, type Schema } from './contract.ts';
import type { Present } from './reply.ts';

export type Presenter = (data: unknown) => unknown;

/** For the answers of an operation, each status by its schema. */
export function presenterOf(operation: Operation): Present {
  const presenters = new Map([[200, presenter(jsonSchema(operation))]]);
  return (data, status = 200) => {
    const present = presenters.get(status) ?? presenter(jsonSchema(operation, String(status)));
    presenters.set(status, present);
    return present(data);
  };
}

/**
 * Turns data of a GraphQL answer into what the schema says: properties that the schema does not know are left out, a
 * null that the schema does not call nullable is dropped, and a property with one possible value has it (`object`). What
 * is marked `x-as-is` is not walked through. Compiled once a schema.
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
