import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OpenAPIBackend } from 'openapi-backend';

/** A schema of the contract, with references resolved, as far as the facade reads it. */
export interface Schema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  /** Whether the data is handed on as it is: a large list that fits the schema by the way it is made. */
  readonly 'x-as-is'?: boolean;
}

interface MediaType {
  readonly schema?: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly security?: readonly Record<string, unknown>[];
  readonly 'x-scope'?: string;
  readonly requestBody?: { readonly content?: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>>;
}

const CONTRACTS = {
  openapi: import.meta.resolve('@ocr-router/openapi/openapi.json'),
  dashboard: import.meta.resolve('@ocr-router/openapi/dashboard.json'),
} as const;

/** Reads a contract as it was written, from the JSON that the build makes of it. */
export function readContract(name: keyof typeof CONTRACTS = 'openapi'): Record<string, unknown> {
  return JSON.parse(readFileSync(fileURLToPath(CONTRACTS[name]), 'utf8')) as Record<string, unknown>;
}

/**
 * Opens openapi-backend over the contract, with its rules and defaults. Types in queries are coerced, those in bodies are not.
 * `check` also checks the contract by the OpenAPI schema: the tests do, a start need not.
 */
export async function openContract(
  definition: Record<string, unknown>,
  options: { check?: boolean } = {},
): Promise<OpenAPIBackend> {
  const api = new OpenAPIBackend({
    // The document is checked against the OpenAPI schema, so its own type need not be proved.
    definition: structuredClone(definition) as never,
    strict: true,
    quick: options.check !== true,
    validate: true,
    coerceTypes: true,
    ajvOpts: {
      useDefaults: true,
      strict: false,
      allErrors: false,
      coerceTypes: false,
      validateFormats: false,
      // Compiling the schema of schemas takes longer than compiling the contract's own.
      validateSchema: options.check === true,
    },
  });
  await api.init();
  return api;
}

/** The part of a contract whose operations have a GraphQL document. */
export function servedBy(
  definition: Record<string, unknown>,
  documents: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const paths = definition['paths'] as Record<string, Record<string, { operationId: string }>>; // the contract has them
  const served = Object.entries(paths).map(([path, methods]) => {
    const kept = Object.entries(methods).filter(([, { operationId }]) => documents.has(operationId));
    return [path, Object.fromEntries(kept)] as const;
  });
  return { ...definition, paths: Object.fromEntries(served.filter(([, kept]) => Object.keys(kept).length > 0)) };
}

export function jsonSchema(operation: Operation, status = '200'): Schema {
  return operation.responses[status]?.content?.['application/json']?.schema ?? {};
}

export function bodySchema(operation: Operation): Schema | null {
  return operation.requestBody?.content?.['application/json']?.schema ?? null;
}

/** A named schema of a contract, one whose own properties have no references. */
export function namedSchema(contract: Record<string, unknown>, name: string): Schema {
  const { schemas } = contract['components'] as { schemas: Record<string, Schema> }; // the contract has both
  const schema = schemas[name];
  if (!schema) throw new Error(`the contract has no schema ${name}`);
  return schema;
}
