import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export const OPENAPI_FOLDER = resolve(import.meta.dirname, '../../openapi');

/** What the build makes of the folders `public` and `dashboard`. */
export type ContractName = 'openapi' | 'dashboard';

/** The parts of a contract that the tests look at, references resolved. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, Example>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, Header>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Record<string, unknown>[];
  readonly 'x-scope'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>>; readonly description?: string };
  readonly responses: Readonly<Record<string, Response>>;
  /** Calls that the service makes, by name, address and method. */
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Operation>>>>>>;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Header {
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Parameter extends Header {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
}

/** A contract of `openapi/` with every reference resolved; what is shared stays one object. */
export function resolvedContract(name: ContractName): Contract {
  const document = readContract(name);
  const targets = new Map<string, unknown>();
  const resolveIn = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolveIn);
    if (typeof node !== 'object' || node === null) return node;
    const reference = (node as { $ref?: unknown }).$ref;
    if (typeof reference === 'string') return target(reference);
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolveIn(value)]));
  };
  const target = (reference: string): unknown => {
    if (!targets.has(reference)) targets.set(reference, resolveIn(at(document, reference)));
    return targets.get(reference);
  };
  return resolveIn(document) as Contract; // openapi-backend proves the shape in openapi.test.ts
}

/** A contract of `openapi/` as it was built. */
export function readContract(name: ContractName): Record<string, unknown> {
  return JSON.parse(readFileSync(resolve(OPENAPI_FOLDER, 'dist', `${name}.json`), 'utf8')) as Record<string, unknown>;
}

function at(document: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce((node: unknown, key) => {
      const next = (node as Record<string, unknown> | undefined)?.[key];
      if (next === undefined) throw new Error(`${reference} points nowhere`);
      return next;
    }, document);
}
