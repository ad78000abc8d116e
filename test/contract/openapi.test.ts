import { OpenAPIBackend } from 'openapi-backend';
import { describe, expect, it } from 'vitest';
import { type Operation, type Response, readContract, resolvedContract, type Schema } from './resolved-contract.ts';

const SLICES = ['requests', 'engines', 'billing', 'monitoring', 'accounts', 'webhooks'];

describe.each(['openapi', 'dashboard'] as const)('%s', (name) => {
  const contract = resolvedContract(name);
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
  const responses = operations.flatMap(responsesOf);

  it('is OpenAPI 3.0.3, and openapi-backend accepts it in strict mode', async () => {
    const definition = readContract(name);
    // The library proves the document; that proof is what is tested here.
    const api = new OpenAPIBackend({
      definition: definition as never,
      strict: true,
      quick: false,
      ajvOpts: { logger: false },
    });
    await api.init();
    expect(definition['openapi']).toBe('3.0.3');
    expect(api.getOperations()).toHaveLength(operations.length);
  });

  it('names no schema of bytes as scripts name theirs: generated clients refer to their own `File` and `Blob`', () => {
    const bytes = Object.entries(contract.components.schemas).filter(([, { format }]) => format === 'binary');
    expect(bytes.map(([schema]) => schema).filter((schema) => schema in globalThis)).toEqual([]);
  });

  it('says of every call that it makes itself that it sends no key of ours', () => {
    for (const { operationId, callbacks = {} } of operations) {
      const calls = Object.values(callbacks).flatMap((paths) =>
        Object.values(paths).flatMap((each) => Object.values(each)),
      );
      for (const { security } of calls) expect(security, operationId).toEqual([]);
    }
  });

  it('gives every operation one slice, a summary and a description', () => {
    for (const { operationId, tags, summary, description } of operations) {
      expect(tags, operationId).toHaveLength(1);
      expect(SLICES, operationId).toContain(tags?.[0]);
      expect([summary, description], operationId).not.toContain(undefined);
    }
  });

  it('describes every parameter, header, response and property', () => {
    const silent = [
      ...operations.flatMap(({ operationId, parameters = [] }) =>
        parameters.map((each) => ({ ...each, place: `${operationId} ${each.name}` })),
      ),
      ...Object.entries(contract.components.headers).map(([place, header]) => ({ ...header, place })),
      ...responses.map(({ place, response }) => ({ ...response, place })),
      ...Object.entries(contract.components.schemas).flatMap(([name, schema]) => propertiesOf(schema, name)),
    ].filter(({ description }) => !description);
    expect(silent.map(({ place }) => place)).toEqual([]);
  });

  it('names the call and the version on every response', () => {
    const nameless = responses.filter(
      ({ response: { headers } }) => !headers?.['X-Request-Id'] || !headers['X-API-Version'],
    );
    expect(nameless.map(({ place }) => place)).toEqual([]);
  });

  it('answers every error with the envelope', () => {
    const others = responses
      .filter(({ status }) => status >= 400)
      .filter(({ response }) => {
        const schema = response.content?.['application/json']?.schema;
        return ![schema, ...(schema?.oneOf ?? [])].some((each) => each?.properties?.['error']?.properties?.['code']);
      });
    expect(others.map(({ place }) => place)).toEqual([]);
  });

  it('sends Retry-After with 429 and 503, and never with a success', () => {
    const wrong = responses.filter(
      ({ status, response }) => (status === 429 || status === 503) !== 'Retry-After' in (response.headers ?? {}),
    );
    expect(wrong.map(({ place }) => place)).toEqual([]);
  });

  it('has a named schema for every object with properties', () => {
    const anonymous = objectsIn(readContract(name)).filter((place) => !/^\/components\/schemas\/\w+$/.test(place));
    expect(anonymous).toEqual([]);
  });
});

function responsesOf({ operationId, responses }: Operation): { place: string; status: number; response: Response }[] {
  return Object.entries(responses).map(([status, response]) => ({
    place: `${operationId} ${status}`,
    status: Number(status),
    response,
  }));
}

/** The properties of a named schema, and the items of those that are lists. */
function propertiesOf(schema: Schema, name: string): { place: string; schema: Schema; description?: string }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const place = `${name}.${key}`;
    const { description, items } = property;
    const own = { place, schema: property, description };
    return items ? [own, { place: `${place}[]`, schema: items, description: items.description }] : [own];
  });
}

/** Where object schemas with properties stand in a document. */
function objectsIn(node: unknown, place = ''): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'properties' in node && 'type' in node ? [place] : [];
  return [...own, ...Object.entries(node).flatMap(([key, child]) => objectsIn(child, `${place}/${key}`))];
}
