import { describe, expect, it } from 'vitest';
import {
  ADDED_400,
  ADDED_CLOSED_SETS,
  ADDED_DASHBOARD_ROUTES,
  ADDED_ERROR_CODES,
  ADDED_FIELDS,
  ADDED_ROUTES,
  ADDED_SCOPES,
  ADDED_SECURED,
  ADDED_STATUSES,
} from './added.ts';
import { closedSetsOf } from './closed-sets-of.ts';
import { type Contract, type Operation, resolvedContract, type Schema } from './resolved-contract.ts';
import {
  API_ROUTES,
  DASHBOARD_ROUTES,
  ERROR_CODES,
  SCOPES,
  SECURED,
  type SpecifiedFields,
  STATUSES,
} from './specified.ts';
import { CLOSED_SETS, DASHBOARD_CLOSED_SETS } from './specified-closed-sets.ts';
import { DASHBOARD_FIELDS, REQUEST_FIELDS, RESPONSE_FIELDS } from './specified-fields.ts';

const api = resolvedContract('openapi');
const dashboard = resolvedContract('dashboard');
const { schemas } = api.components;
const KNOWN_ERROR_CODES = [...ERROR_CODES, ...ADDED_ERROR_CODES];
const ERROR_CODE_SETS = {
  ErrorCode: KNOWN_ERROR_CODES,
  'ErrorDetail.code': KNOWN_ERROR_CODES,
  'BatchItemError.code': KNOWN_ERROR_CODES,
};

describe('the routes', () => {
  it('are those of the specification, on the API', () => {
    expect(routesOf(api)).toEqual([...API_ROUTES, ...ADDED_ROUTES].map((route) => route.join(' ')).sort());
  });

  it('are those of the specification, on the dashboard', () => {
    const routes = [...DASHBOARD_ROUTES, ...ADDED_DASHBOARD_ROUTES];
    expect(routesOf(dashboard)).toEqual(routes.map((route) => route.join(' ')).sort());
  });

  it('answer with the statuses of the specification', () => {
    const statuses = operationsOf(api).map(({ operationId, responses }) => [
      operationId,
      Object.keys(responses).map(Number),
    ]);
    const gained = ADDED_400.map((id) => [id, [...STATUSES[id], 400].sort()]);
    expect(Object.fromEntries(statuses)).toEqual({ ...STATUSES, ...Object.fromEntries(gained), ...ADDED_STATUSES });
  });

  it('need a key where the specification names no exception', () => {
    const secured = operationsOf(api).filter(
      ({ security = [] }) => !security.some((way) => Object.keys(way).length === 0),
    );
    expect(secured.map(({ operationId }) => operationId).sort()).toEqual([...SECURED, ...ADDED_SECURED].sort());
  });

  it('need the scope that was decided', () => {
    const scoped = operationsOf(api).filter((operation) => operation['x-scope'] !== undefined);
    expect(Object.fromEntries(scoped.map((operation) => [operation.operationId, operation['x-scope']]))).toEqual({
      ...SCOPES,
      ...ADDED_SCOPES,
    });
  });
});

describe.each(Object.entries({ ...REQUEST_FIELDS, ...RESPONSE_FIELDS }))('%s', (name, specified) => {
  it('has the fields of the specification, required and nullable as there', () => {
    expect(without(ADDED_FIELDS[name] ?? [], fieldsOf(schemas[name]))).toEqual(sorted(specified));
  });
});

describe('the properties that were added', () => {
  it('are optional, and none that the specification has', () => {
    for (const [name, added] of Object.entries(ADDED_FIELDS)) {
      const specified = { ...REQUEST_FIELDS, ...RESPONSE_FIELDS }[name];
      expect(specified, `${name} is no schema of the specification`).toBeDefined();
      const known = [...(specified?.always ?? []), ...(specified?.sometimes ?? [])];
      for (const field of added) {
        expect(known, name).not.toContain(field);
        expect(Object.keys(schemas[name]?.properties ?? {}), name).toContain(field);
        expect(schemas[name]?.required ?? [], name).not.toContain(field);
      }
    }
  });
});

describe.each(Object.entries(DASHBOARD_FIELDS))('%s of the dashboard', (name, specified) => {
  it('has the fields of the specification, required and nullable as there', () => {
    expect(fieldsOf(dashboard.components.schemas[name])).toEqual(sorted(specified));
  });
});

describe('the closed sets', () => {
  it('have the values of the specification, every one of the API', () => {
    expect(closedSetsOf('openapi')).toEqual({ ...CLOSED_SETS, ...ERROR_CODE_SETS, ...ADDED_CLOSED_SETS });
  });

  it('have the values of the specification, every one of the dashboard', () => {
    expect(closedSetsOf('dashboard')).toEqual(DASHBOARD_CLOSED_SETS);
  });
});

describe('the limits and defaults', () => {
  it.each([
    ['getEngineLatency', 'hours', { minimum: 1, maximum: 720, default: 168 }],
    ['getEngineUptime', 'days', { minimum: 1, maximum: 365, default: 30 }],
    ['listEngines', 'sort', { enum: ['accuracy'] }],
    ['createOcr', 'Idempotency-Key', { minLength: 1, maxLength: 255 }],
  ])('%s %s', (operationId, name, limits) => {
    expect(parameter(api, operationId, name)?.schema).toMatchObject(limits);
  });

  it('require the header Idempotency-Key on POST /v1/ocr, and nowhere else', () => {
    const requiring = operationsOf(api).filter(
      ({ operationId }) => parameter(api, operationId, 'Idempotency-Key')?.required,
    );
    expect(requiring.map(({ operationId }) => operationId)).toEqual(['createOcr']);
  });

  it('take dpi from 72 to 1200 and at least one page', () => {
    expect(schemas['OcrSettings']?.properties?.['dpi']).toMatchObject({ type: 'integer', minimum: 72, maximum: 1200 });
    expect(schemas['OcrRequest']?.properties?.['page_count']).toMatchObject({ type: 'integer', minimum: 1 });
  });

  it('take at most 20 items in a batch, and at least one', () => {
    expect(schemas['BatchRequest']?.properties?.['items']).toMatchObject({ minItems: 1, maxItems: 20 });
  });

  it('fill in only the defaults that do no harm', () => {
    const filled = Object.keys(REQUEST_FIELDS).flatMap((name) =>
      Object.entries(schemas[name]?.properties ?? {})
        .filter(([, { default: value }]) => value !== undefined)
        .map(([field, { default: value }]) => `${name}.${field} = ${value}`),
    );
    expect(filled.sort()).toEqual([
      'BatchItem.fallback = off',
      'OcrRequest.fallback = off',
      'OcrRequest.mode = sync',
      'OcrRequest.output_format = json',
    ]);
  });

  it('page the usage history by 50, 100 at most', () => {
    expect(parameter(dashboard, 'getUsageHistory', 'per_page')?.schema).toMatchObject({ default: 50, maximum: 100 });
    expect(parameter(dashboard, 'getUsageHistory', 'page')?.schema).toMatchObject({ default: 1, minimum: 1 });
  });
});

function operationsOf(contract: Contract): Operation[] {
  return Object.values(contract.paths).flatMap((path) => Object.values(path));
}

function routesOf(contract: Contract): string[] {
  const routes = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
  );
  return routes.sort();
}

function parameter(contract: Contract, operationId: string, name: string) {
  const operation = operationsOf(contract).find((candidate) => candidate.operationId === operationId);
  return operation?.parameters?.find((candidate) => candidate.name === name);
}

function fieldsOf(schema: Schema | undefined): Required<SpecifiedFields> {
  const properties = Object.entries(schema?.properties ?? {});
  const required = new Set(schema?.required);
  const names = properties.map(([name]) => name);
  return sorted({
    always: names.filter((name) => required.has(name)),
    sometimes: names.filter((name) => !required.has(name)),
    nullable: properties.filter(([, property]) => property.nullable).map(([name]) => name),
  });
}

function without(added: readonly string[], fields: Required<SpecifiedFields>): Required<SpecifiedFields> {
  const kept = (names: readonly string[]) => names.filter((name) => !added.includes(name));
  // An added property that is required stays in the list, and shows there.
  return { always: fields.always, sometimes: kept(fields.sometimes), nullable: kept(fields.nullable) };
}

function sorted({ always, sometimes = [], nullable = [] }: SpecifiedFields): Required<SpecifiedFields> {
  return { always: [...always].sort(), sometimes: [...sometimes].sort(), nullable: [...nullable].sort() };
}
