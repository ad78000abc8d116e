import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ErrorObject } from 'ajv';

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

/** What one part of a call must keep. Fills in defaults, coerces query parameters, and leaves what is broken in `errors`. */
export interface Rule {
  (call: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

/** A contract as the facade serves it. */
export interface Contract {
  /** Its operations, with references resolved. */
  readonly operations: readonly Operation[];
  /** The rules of each operation, by operationId. */
  readonly rules: Readonly<Record<string, readonly Rule[]>>;
}

const CONTRACTS = {
  openapi: import.meta.resolve('@ocr-router/openapi/openapi.json'),
  dashboard: import.meta.resolve('@ocr-router/openapi/dashboard.json'),
} as const;

/** Reads a contract as it was written, from the JSON that the build makes of it. */
export function readContract(name: keyof typeof CONTRACTS = 'openapi'): Record<string, unknown> {
  return JSON.parse(readFileSync(fileURLToPath(CONTRACTS[name]), 'utf8')) as Record<string, unknown>;
}

/** The part of a contract whose operations have a GraphQL document. */
export function servedBy({ operations, rules }: Contract, documents: ReadonlyMap<string, unknown>): Contract {
  return { operations: operations.filter(({ operationId }) => documents.has(operationId)), rules };
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
