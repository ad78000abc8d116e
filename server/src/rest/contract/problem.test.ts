import { expect, it } from 'vitest';
import { describeProblem } from './problem.ts';

const broken = (instancePath: string, keyword = 'type', params: object = { type: 'object' }, given?: unknown) =>
  describeProblem([{ instancePath, keyword, params, schemaPath: '' }], given);

it('says where in the body a rule is broken as a path, beside the sentence', () => {
  const error = broken('/requestBody/items/2', 'required', { missingProperty: 'input' });
  expect(error.message).toBe('items[2].input: is required.');
  expect(error.details.brokenRule).toEqual({ path: ['items', '2', 'input'], rule: 'is required' });
});

it('names the body itself where no property is to blame', () => {
  const error = broken('/requestBody');
  expect(error.message).toBe('body: must be object.');
  expect(error.details.brokenRule).toEqual({ path: [], rule: 'must be object' });
});

it('has no path in the body for a rule of a header or of the query', () => {
  const header = broken('/header', 'required', { missingProperty: 'idempotency-key' });
  expect(header.message).toBe('header Idempotency-Key: is required.');
  expect(header.details.brokenRule).toBeUndefined();
  expect(broken('/query/items/1').message).toBe('items[1]: must be object.');
  expect(broken('/query/items/1').details.brokenRule).toBeUndefined();
});

it('names a word that is none of those it may be, as far as it is short', () => {
  const params = { allowedValues: ['words', 'tables'] };
  const named = (value: unknown) =>
    broken('/requestBody/include/1', 'enum', params, { requestBody: { include: ['words', value] } }).message;
  expect(named('letters')).toBe('include[1]: must be one of `words`, `tables`, not `letters`.');
  expect(named('x'.repeat(5000))).toBe(`include[1]: must be one of \`words\`, \`tables\`, not \`${'x'.repeat(100)}\`.`);
  expect(named({ letters: 'words' })).toBe('include[1]: must be one of `words`, `tables`.');
});
