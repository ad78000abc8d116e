import { expect, it } from 'vitest';
import type { ZodType } from 'zod';
import type { ChannelName } from '../shared/channels.ts';
import { parsed } from './input.ts';
import { INPUTS } from './inputs.ts';

it.each<[ChannelName, unknown]>([
  ['app.zoom', { percent: 20 }],
  ['app.zoom', { percent: 99.5 }],
  ['profiles.remove', { id: ' ' }],
  ['profiles.select', { id: 'x'.repeat(101) }],
  ['graphql.execute', { query: '{ a }' }],
  ['graphql.execute', { query: '{ a }', variables: [] }],
  ['graphql.execute', { query: `{ ${'a '.repeat(10_000)} }`, variables: {} }],
  ['graphql.subscribe', { query: 'subscription { a }', variables: {} }],
  ['clipboard.write', { text: 7 }],
  ['external.open', {}],
  ['graphql.unsubscribe', { id: 'x', more: true }],
  ['graphql.unsubscribe', null],
  ['graphql.unsubscribe', undefined],
])('%s refuses %j', (channel, input) => {
  const schema: ZodType<unknown> = INPUTS[channel];
  expect(() => parsed(schema, input)).toThrow(expect.objectContaining({ name: 'Refused' }));
});

it('says which field is wrong', () => {
  expect(() => parsed(INPUTS['app.zoom'], { percent: 20 })).toThrow(/^percent: /);
});

it('takes a text as it is, and nothing where nothing is taken', () => {
  expect(parsed(INPUTS['clipboard.write'], { text: ' a \n' })).toEqual({ text: ' a \n' });
  expect(parsed(INPUTS['app.info'], null)).toBeUndefined();
});
