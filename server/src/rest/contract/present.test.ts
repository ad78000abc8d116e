import { describe, expect, it } from 'vitest';
import { presenter } from './present.ts';
import { camelCase, toInput } from './to-input.ts';

describe('presenter', () => {
  const present = presenter({
    properties: {
      object: { enum: ['thing'] },
      id: { type: 'string' },
      note: { type: 'string' },
      text: { type: 'string', nullable: true },
      items: { type: 'array', items: { properties: { a: {}, b: { nullable: true } } } },
    },
  });

  it('drops a null that the schema does not call nullable, and keeps one that it does', () => {
    expect(present({ id: 'x', note: null, text: null })).toEqual({ object: 'thing', id: 'x', text: null });
  });

  it('leaves out what the schema does not know', () => {
    expect(present({ id: 'x', _replayed: true })).toEqual({ object: 'thing', id: 'x' });
  });

  it('does the same inside lists', () => {
    expect(present({ items: [{ a: null, b: null, c: 1 }] })).toEqual({ object: 'thing', items: [{ b: null }] });
  });
});

describe('a list that is handed through as it is', () => {
  it('is the same list, with what is null in it', () => {
    const lines = [{ text: 'one', confidence: null, more: 1 }];
    const item = { type: 'object', properties: { text: { type: 'string' } } };
    const asIs = presenter({ properties: { lines: { type: 'array', 'x-as-is': true, items: item } } });
    const shown = asIs({ lines, other: 1 }) as { lines: unknown };
    expect(shown).toEqual({ lines });
    expect(shown.lines).toBe(lines);
  });
});

describe('toInput', () => {
  const schema = {
    properties: {
      page_count: { type: 'integer' },
      native_settings: { type: 'object' },
      input: { properties: { data_base64: { type: 'string' } } },
    },
  };

  it('renames known properties, and nothing inside a free object', () => {
    const body = { page_count: 2, native_settings: { max_tokens: 1 }, input: { data_base64: 'QQ==' } };
    expect(toInput(schema, body)).toEqual({
      input: { pageCount: 2, nativeSettings: { max_tokens: 1 }, input: { dataBase64: 'QQ==' } },
      unknown: [],
    });
  });

  it('lists unknown properties by their paths', () => {
    const body = { pageCount: 2, input: { file: 'x' }, constructor: 1 };
    expect(toInput(schema, body)).toEqual({
      input: { input: {} },
      unknown: ['pageCount', 'input.file', 'constructor'],
    });
  });

  it('spells names in camelCase', () => {
    expect(camelCase('p50_latency_ms')).toBe('p50LatencyMs');
  });
});
