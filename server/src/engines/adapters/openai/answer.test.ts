import { describe, expect, it } from 'vitest';
import type { EngineInput } from '../../model/engine.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { readCompletion } from './answer.ts';

const PICTURE: EngineInput = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from('x'), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [1, 2] };
const USAGE = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };

const answer = (body: unknown): HttpAnswer => ({
  kind: 'answer',
  status: 200,
  header: () => null,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const completion = (message: unknown, finish_reason?: unknown, usage: unknown = USAGE) =>
  answer({ id: 'chatcmpl-1', model: 'm-2026', usage, choices: [{ message, finish_reason }] });
const read = (given: HttpAnswer, input: EngineInput = PICTURE) =>
  readCompletion(given, { input, mostThought: 8192 }, 'sk-secret');

describe('the ending of a completion', () => {
  const prose = 'I’m sorry, I can’t transcribe this page.';
  const parts = [{ type: 'text', text: 'te' }, { type: 'image' }, null, { type: 'text', text: 'xt' }];
  const table: [name: string, given: HttpAnswer, kind: string, text: string | null][] = [
    ['stop', completion({ content: 'text' }, 'stop'), 'ok', 'text'],
    ['an absent reason', completion({ content: 'text' }), 'ok', 'text'],
    ['a null reason', completion({ content: 'text' }, null), 'ok', 'text'],
    ['a reason that is no word', completion({ content: 'text' }, 7), 'ok', 'text'],
    ['content in parts', completion({ content: parts }, 'stop'), 'ok', 'text'],
    [
      'thinking and a fence',
      completion({ content: '<think>hm</think>\n```markdown\ntext\n```' }, 'stop'),
      'ok',
      'text',
    ],
    ['an empty refusal', completion({ content: 'text', refusal: '' }, 'stop'), 'ok', 'text'],
    ['a refusal', completion({ content: null, refusal: 'I will not.' }, 'stop'), 'refused', null],
    ['a refusal that was cut', completion({ content: 'te', refusal: 'I will not.' }, 'length'), 'refused', null],
    [
      'a refusal among the parts',
      completion({ content: [{ type: 'refusal', refusal: 'I will not.' }] }, 'stop'),
      'refused',
      null,
    ],
    ['a filter', completion({ content: 'te' }, 'content_filter'), 'refused', null],
    ['a refusal in prose', completion({ content: prose }, 'stop'), 'refused', null],
    ['the output limit', completion({ content: 'te' }, 'length'), 'truncated', 'te'],
    ['the output limit while thinking', completion({ content: null }, 'length'), 'truncated', ''],
    ['the output limit within thinking', completion({ content: '<think>hm' }, 'length'), 'truncated', ''],
    ['no text', completion({ content: ' \n' }, 'stop'), 'empty', null],
    ['no content and no reason', completion({}), 'empty', null],
    ['the mark for no text', completion({ content: '[no text]' }, 'stop'), 'empty', null],
    ['nothing but pictures', completion({ content: '![img-0.jpeg](img-0.jpeg)\n' }, 'stop'), 'empty', null],
    ['an unknown reason without text', completion({ content: '' }, 'tired'), 'failed', null],
    ['an error as the reason', completion({ content: 'te' }, 'error'), 'failed', null],
  ];
  it.each(table)('by %s', (_name, given, kind, text) => {
    const reading = read(given);
    expect(reading.ending.kind).toBe(kind);
    expect(reading.pages.map((page) => page.text)).toEqual(text === null ? [] : [text]);
    expect(reading).toMatchObject({ billed: 'yes', usage: { inputTokens: 1000, outputTokens: 20 }, warnings: [] });
  });

  it.each(['', 'null', '[]', '{"choices":[]}', '{"choices":[{}]}', '{"choices":[{"message":"x"}]}', '{"id'])(
    'in the shape %j is a temporary failure whose billing is unknown',
    (body) => {
      expect(read(answer(body))).toMatchObject({
        ending: { kind: 'failed', temporary: true },
        usage: null,
        billed: 'unknown',
      });
    },
  );

  it.each([
    [
      { code: 429, message: 'slow down' },
      { kind: 'failed', temporary: true, httpStatus: 429 },
    ],
    [
      { code: 'x', message: 'broken' },
      { kind: 'failed', temporary: true, httpStatus: 502 },
    ],
    [
      { code: 402, message: 'pay' },
      { kind: 'failed', temporary: false, httpStatus: 402 },
    ],
    [{ message: 'words' }, { kind: 'failed', temporary: true, httpStatus: 502 }],
  ])('takes the error %j inside HTTP 200 as that error', (error, ending) => {
    expect(read(answer({ error }))).toMatchObject({ ending, billed: 'unknown' });
  });

  it('by an unknown reason keeps the text and says so', () => {
    const reading = read(completion({ content: 'text' }, 'tired'));
    expect(reading).toMatchObject({ ending: { kind: 'ok' }, pages: [{ text: 'text' }] });
    expect(reading.warnings).toEqual(['The engine gave an unknown reason for ending: "tired".']);
  });

  it('by a refusal quotes it', () => {
    const refusal = `No.\n${'x'.repeat(500)}`;
    const { ending } = read(completion({ refusal }, 'stop'));
    expect(ending).toEqual({
      kind: 'refused',
      message: `The engine refused to read the page: “No. ${'x'.repeat(196)}”`,
      quote: `No. ${'x'.repeat(196)}`,
    });
  });
});

describe('the pages of a completion', () => {
  it('are told apart by their marks', () => {
    expect(read(completion({ content: '[[page 1]]\na\n[[page 2]]\nb' }, 'stop'), PDF).pages).toEqual([
      { number: 1, text: 'a', confidence: null, source: 'engine' },
      { number: 2, text: 'b', confidence: null, source: 'engine' },
    ]);
  });

  it('stand on the first one when there are no marks, with a warning', () => {
    const reading = read(completion({ content: 'a b' }, 'stop'), PDF);
    expect(reading.pages.map((page) => page.text)).toEqual(['a b', '']);
    expect(reading.warnings).toEqual([
      'The engine did not tell the pages apart: the text of all stands on the first one that was asked for.',
    ]);
  });
});

describe('the usage of a completion', () => {
  it.each([
    [undefined, null],
    [null, null],
    ['lots', null],
    [
      { prompt_tokens: -5, completion_tokens: 1e12 },
      { inputTokens: Number.NaN, outputTokens: Number.NaN },
    ],
    [{ prompt_tokens: 5 }, { inputTokens: 5, outputTokens: null }],
  ])('%j is kept, and believed only where it is sound', (usage, expected) => {
    const given =
      usage === undefined
        ? answer({ choices: [{ message: { content: 'x' } }] })
        : completion({ content: 'x' }, 'stop', usage);
    const reading = read(given);
    expect(reading.billed).toBe('yes');
    if (expected === null) expect(reading.usage).toBeNull();
    else expect(reading.usage).toEqual({ ...expected, pages: null, raw: usage });
  });
});
