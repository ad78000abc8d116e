import type { Operation } from './contract/contract.ts';

export type Match =
  | { readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  /** The methods of a known path that has not this one. */
  | { readonly allowed: readonly string[] };

interface Template {
  readonly operation: Operation;
  readonly parts: readonly string[];
}

/**
 * The routes of the contract. openapi-backend's own router goes through all operations with lodash at every call, which costs
 * more than the rest of a read; this one looks fixed paths up and compares templates part by part.
 */
export class Routes {
  readonly #fixed = new Map<string, Map<string, Operation>>();
  readonly #templates: Template[] = [];

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      if (operation.path.includes('{')) {
        this.#templates.push({ operation, parts: operation.path.split('/') });
        continue;
      }
      const methods = this.#fixed.get(operation.path) ?? new Map<string, Operation>();
      this.#fixed.set(operation.path, methods.set(operation.method.toUpperCase(), operation));
    }
  }

  /** The operation at a path, the methods that the path has, or null for an unknown path. */
  match(method: string, path: string): Match | null {
    const wanted = method === 'HEAD' ? 'GET' : method; // the same answer, of which Node leaves out the body
    const fixed = this.#fixed.get(path);
    const exact = fixed?.get(wanted);
    if (exact) return { operation: exact, params: {} };
    const allowed = [...(fixed?.keys() ?? [])];
    const parts = path.split('/');
    for (const template of this.#templates) {
      const params = bind(template.parts, parts);
      if (!params) continue;
      const own = template.operation.method.toUpperCase();
      if (own === wanted) return { operation: template.operation, params };
      allowed.push(own);
    }
    if (allowed.includes('GET')) allowed.push('HEAD');
    return allowed.length > 0 ? { allowed } : null;
  }
}

function bind(template: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (template.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (let i = 0; i < parts.length; i++) {
    const [wanted = '', given = ''] = [template[i], parts[i]];
    if (!wanted.startsWith('{')) {
      if (wanted !== given) return null;
      continue;
    }
    const value = decode(given);
    if (value === null || value === '') return null;
    params[wanted.slice(1, -1)] = value;
  }
  return params;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
