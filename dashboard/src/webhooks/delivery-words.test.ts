import { expect, it } from 'vitest';
import { attemptText, deliveriesTitle, readableBody } from './delivery-words.ts';

it('tells attempts of a sending by hand from those before it', () => {
  const texts = [
    { round: 1, attempt: 0 },
    { round: 1, attempt: 4 },
    { round: 2, attempt: 1 },
  ].map(attemptText);
  expect(texts).toEqual(['–', '4 of 4', '1 of 4, sending 2']);
});

it('lays a body out to be read', () => {
  expect(readableBody('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(readableBody('no JSON')).toBe('no JSON');
});

it('says that older attempts are not listed where there may be some', () => {
  expect(deliveriesTitle(undefined)).toBe('Deliveries');
  expect(deliveriesTitle(99)).toBe('Deliveries');
  expect(deliveriesTitle(100)).toBe('Deliveries: the latest 100 attempts');
});
