import sharp from 'sharp';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { admitNative } from '../../model/native-rules.ts';
import { type Behaviour, ScriptedProvider } from '../wires/scripted-provider.ts';
import { KEY } from '../wires/wire-type.ts';
import { anthropic } from './adapter.ts';

const PICTURE: EngineInput = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [1, 2] };
const USAGE = { input_tokens: 900, cache_read_input_tokens: 100, output_tokens: 20, service_tier: 'standard' };

let provider: ScriptedProvider;
const http = new Agent();
beforeAll(async () => {
  provider = await ScriptedProvider.start();
});
afterAll(async () => {
  await http.destroy();
  await provider[Symbol.asyncDispose]();
});

const message = (text: string | null, stop_reason?: unknown, more: object = {}) => ({
  status: 200,
  headers: { 'request-id': 'req_1' },
  body: {
    id: 'msg_1',
    model: 'claude-1-2026',
    content: text === null ? [] : [{ type: 'text', text }],
    stop_reason,
    usage: USAGE,
    ...more,
  },
});
const fault = (status: number, type: string, words: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'request-id': 'req_1', ...headers },
  body: { type: 'error', error: { type, message: words }, request_id: 'req_1' },
});

function open(): Adapter {
  const engine = { id: 'x', baseUrl: provider.origin, apiKey: KEY, model: 'claude-1' } as Engine; // what open() reads
  return anthropic.open(engine, { http } as unknown as AdapterTools) as Adapter; // it uses http only, and opens at once
}

function read(
  script: Behaviour | Behaviour[],
  input = PICTURE,
  native: Record<string, unknown> = {},
  adapter = open(),
) {
  provider.script(...[script].flat());
  const settings: EngineSettings = {
    language: 'ja',
    languageNative: 'Japanese',
    dpi: null,
    detectTables: false,
    native,
  };
  return adapter.read(input, settings, new AbortController().signal);
}

const sent = (nth = 0) => JSON.parse(provider.calls[nth]?.body ?? '{}');

describe('the request to Anthropic', () => {
  it('carries the model, the picture in bare base64, and the prompt with the language', async () => {
    await read(message('x', 'end_turn'));
    expect(provider.calls[0]).toMatchObject({
      method: 'POST',
      path: '/v1/messages',
      headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    });
    expect(sent()).toEqual({
      model: 'claude-1',
      max_tokens: 8192,
      temperature: 0,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAEC+g==' } },
            { type: 'text', text: expect.stringContaining('The document is in Japanese.') },
          ],
        },
      ],
    });
  });

  it('carries a PDF as a document, with room for each of its pages', async () => {
    const reading = await read(message('[[page 1]]\na\n[[page 2]]\nb', 'end_turn'), PDF);
    expect(reading.pages).toMatchObject([
      { number: 1, text: 'a' },
      { number: 2, text: 'b' },
    ]);
    expect(sent().max_tokens).toBe(16_384);
    expect(sent().messages[0].content[0]).toEqual({
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjc=' },
    });
  });

  it('lets native_settings win, a token limit only where it is lower', async () => {
    const native = { temperature: 0.5, max_tokens: 10, top_k: 3 };
    await read(message('x', 'end_turn'), PICTURE, native);
    expect(sent()).toMatchObject(native);
    const { warnings } = await read(message('x', 'end_turn'), PICTURE, { max_tokens: 1_000_000 });
    expect(sent()).toMatchObject({ max_tokens: 8192 });
    expect(warnings).toEqual([expect.stringContaining('max_tokens was lowered to 8192')]);
  });

  it.each([
    [
      { top_k: 3, max_tokens: 1_000_000 },
      { top_k: 3, max_tokens: 8192 },
    ],
    [{ top_k: 3, max_tokens: -5 }, { top_k: 3 }],
  ])('tells before and after a call what of %j is sent on', async (native, forwardedNative) => {
    const settings = { language: 'ja', languageNative: 'Japanese', dpi: null, detectTables: false, native };
    expect(anthropic.forwards?.(settings, 1)).toMatchObject({ language: 'ja', native: forwardedNative });
    expect((await read(message('x', 'end_turn'), PICTURE, native)).forwarded).toEqual({ native: forwardedNative });
    expect(sent()).toMatchObject({ max_tokens: 8192, ...forwardedNative });
  });

  it('sends no temperature to a model that is asked to think', async () => {
    await read(message('x', 'end_turn'), PICTURE, { thinking: { type: 'enabled', budget_tokens: 1024 } });
    expect(sent()).not.toHaveProperty('temperature');
  });

  it('makes a picture fit the 5 MB of base64 that a picture may have', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const bytes = await sharp({ create: { width: 2400, height: 2400, channels: 3, background: '#fff', noise } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const picture = { bytes, mimeType: 'image/png', width: 2400, height: 2400, dpi: 300, warnings: [] } as const;
    const reading = await read(message('x', 'end_turn'), { kind: 'picture', page: 1, picture });
    const { source } = sent().messages[0].content[0];
    expect(source.media_type).toBe('image/jpeg');
    expect(source.data.length).toBeLessThanOrEqual(5 * 1024 * 1024);
    expect(reading.warnings).toEqual([expect.stringMatching(/^The picture was scaled down to \d+ × \d+ pixels/)]);
  });

  it('learns that a model wants no temperature and writes less, and remembers both', async () => {
    const adapter = open();
    const script = [
      fault(400, 'invalid_request_error', '`temperature` is deprecated for this model.'),
      fault(
        400,
        'invalid_request_error',
        'max_tokens: 16384 > 4096, which is the maximum allowed number of output tokens',
      ),
      message('[[page 1]]\na', 'end_turn'),
    ];
    expect((await read(script, PDF, {}, adapter)).ending).toEqual({ kind: 'ok' });
    expect(sent(2)).toMatchObject({ max_tokens: 4096 });
    await read(message('x', 'end_turn'), PICTURE, {}, adapter);
    expect(provider.calls).toHaveLength(1);
    expect(sent()).toMatchObject({ max_tokens: 4096 });
    expect(sent()).not.toHaveProperty('temperature');
  });

  it('learns nothing for others from what one caller’s native_settings brought about', async () => {
    const adapter = open();
    const rejection = fault(400, 'invalid_request_error', '`temperature` and `top_p` cannot both be specified');
    await read([rejection, message('x', 'end_turn')], PICTURE, { top_p: 0.1 }, adapter);
    expect(sent(1)).not.toHaveProperty('temperature');
    await read(message('x', 'end_turn'), PICTURE, {}, adapter);
    expect(sent()).toMatchObject({ temperature: 0 });
  });
});

describe('a Claude that thinks', () => {
  const thought = (type: string) => message('x', 'max_tokens', { content: [{ type, data: 'x' }] });

  it.each(['thinking', 'redacted_thinking'])('is told by its %s, and has room for that from then on', async (type) => {
    const adapter = open();
    await read(thought(type), PICTURE, {}, adapter);
    expect(sent().max_tokens).toBe(8192);
    const { mostTokens } = await read(message('x', 'end_turn'), PICTURE, {}, adapter);
    expect(sent().max_tokens).toBe(16_384);
    expect(mostTokens?.output).toBe(16_384);
  });

  it('is taken for one as soon as it refuses a temperature', async () => {
    const rejection = fault(400, 'invalid_request_error', '`temperature` is deprecated for this model.');
    await read([rejection, message('x', 'end_turn')]);
    expect(sent(1)).toMatchObject({ max_tokens: 16_384 });
    expect(sent(1)).not.toHaveProperty('temperature');
  });

  it('has room where a caller has it think, and for others only what they have of it', async () => {
    const adapter = open();
    const native = { thinking: { type: 'enabled', budget_tokens: 8000 }, max_tokens: 99_999 };
    const { forwarded } = await read(thought('thinking'), PICTURE, native, adapter);
    expect(sent().max_tokens).toBe(16_384);
    const settings = { language: 'ja', languageNative: 'Japanese', dpi: null, detectTables: false, native };
    expect(anthropic.forwards?.(settings, 1)).toMatchObject(forwarded ?? {});
    await read(message('x', 'end_turn'), PICTURE, { thinking: { type: 'disabled' } }, adapter);
    expect(sent().max_tokens).toBe(8192);
  });

  it('thinks as much as a caller says, by the one field of its output_config that callers set', async () => {
    const wish = { output_config: { effort: 'low', format: { type: 'json_schema' } } };
    const { native, ignored } = admitNative(anthropic.native, [], wish);
    expect({ native, ignored }).toEqual({
      native: { output_config: { effort: 'low' } },
      ignored: ['output_config.format'],
    });
    await read(message('x', 'end_turn'), PICTURE, native);
    expect(sent()).toMatchObject({ max_tokens: 8192, output_config: { effort: 'low' } });
  });

  it('writes no thought into the text', async () => {
    const content = [
      { type: 'thinking', thinking: 'A table?', signature: 's' },
      { type: 'text', text: 'Total 7' },
    ];
    expect((await read(message('x', 'end_turn', { content }))).pages).toMatchObject([{ text: 'Total 7' }]);
  });
});

describe('the ending of Anthropic’s answer', () => {
  const filtered = 'Output blocked by content filtering policy';
  const credit = 'Your credit balance is too low to access the Anthropic API.';
  const table: [name: string, script: Behaviour, ending: object, billed: string][] = [
    ['end_turn', message('text', 'end_turn'), { kind: 'ok' }, 'yes'],
    ['stop_sequence', message('text', 'stop_sequence'), { kind: 'ok' }, 'yes'],
    ['no reason', message('text', null), { kind: 'ok' }, 'yes'],
    ['an unknown reason', message('text', 'tired'), { kind: 'ok' }, 'yes'],
    ['an unknown reason without text', message(null, 'tired'), { kind: 'failed', temporary: true }, 'yes'],
    ['pause_turn', message('text', 'pause_turn'), { kind: 'ok' }, 'yes'],
    ['max_tokens', message('te', 'max_tokens'), { kind: 'truncated' }, 'yes'],
    ['max_tokens without text', message(null, 'max_tokens'), { kind: 'truncated' }, 'yes'],
    ['a full context', message('te', 'model_context_window_exceeded'), { kind: 'truncated' }, 'yes'],
    ['refusal', message(null, 'refusal'), { kind: 'refused' }, 'yes'],
    ['refusal after some text', message('te', 'refusal'), { kind: 'refused' }, 'yes'],
    ['a refusal in prose', message('I can’t transcribe this document.', 'end_turn'), { kind: 'refused' }, 'yes'],
    ['no text', message('', 'end_turn'), { kind: 'empty' }, 'yes'],
    ['the output filter', fault(400, 'invalid_request_error', filtered), { kind: 'refused' }, 'unknown'],
    [
      'a rate limit',
      fault(429, 'rate_limit_error', 'slow'),
      { kind: 'failed', temporary: true, httpStatus: 429 },
      'no',
    ],
    ['an overload', fault(529, 'overloaded_error', 'Overloaded'), { kind: 'failed', temporary: true }, 'no'],
    ['an empty account', fault(400, 'invalid_request_error', credit), { kind: 'failed', temporary: false }, 'no'],
    ['an unpaid bill', fault(402, 'billing_error', 'pay'), { kind: 'failed', temporary: false }, 'no'],
    ['a wrong key', fault(401, 'authentication_error', KEY), { kind: 'failed', temporary: false }, 'no'],
    ['an unknown model', fault(404, 'not_found_error', 'model: x'), { kind: 'failed', temporary: false }, 'no'],
    ['a body too large', fault(413, 'request_too_large', 'large'), { kind: 'failed', temporary: false }, 'no'],
    [
      'a bad PDF',
      fault(400, 'invalid_request_error', 'The PDF specified was not valid.'),
      { kind: 'unreadable' },
      'no',
    ],
  ];
  it.each(table)('by %s', async (_name, script, ending, billed) => {
    const reading = await read(script);
    expect(reading).toMatchObject({ ending, billed, providerRequestId: 'req_1' });
    if (billed === 'yes')
      expect(reading.usage).toEqual({ inputTokens: 1000, outputTokens: 20, pages: null, raw: USAGE });
    expect(JSON.stringify(reading)).not.toContain(KEY);
  });

  it('warns of an unknown reason', async () => {
    expect((await read(message('text', 'tired'))).warnings).toEqual([
      'The engine gave an unknown reason for ending: "tired".',
    ]);
  });

  it('quotes why it refused', async () => {
    const stop_details = { type: 'refusal', category: 'cyber', explanation: 'Not this.' };
    const { ending } = await read(message(null, 'refusal', { stop_details }));
    expect(ending).toMatchObject({ message: 'The engine refused to read the page: “Not this.”' });
  });

  it.each([
    ['before any output', [], 0, 'no'],
    ['after thinking', [{ type: 'thinking', thinking: '', signature: 's' }], 0, 'yes'],
    ['after tokens that are not shown', [], 20, 'yes'],
    ['with no count of its output', [], undefined, 'yes'],
  ])('takes a refusal %s for what Anthropic bills of it', async (_, content, output_tokens, billed) => {
    const usage = { input_tokens: 900, output_tokens };
    const stop_details = { type: 'refusal', category: 'cyber', explanation: null };
    const reading = await read(message(null, 'refusal', { content, usage, stop_details }));
    expect(reading).toMatchObject({ ending: { kind: 'refused' }, billed, usage: { inputTokens: 900 } });
  });

  it('says how long a rate limit asks to wait', async () => {
    const { ending } = await read(fault(429, 'rate_limit_error', 'slow', { 'retry-after': '12' }));
    expect(ending).toMatchObject({ message: expect.stringContaining('asks to wait 12 s') });
  });

  it.each([{ input_tokens: -1, output_tokens: 1 }, { input_tokens: 1e9, output_tokens: 1 }, { output_tokens: 1 }])(
    'does not believe the usage %j, and keeps it',
    async (usage) => {
      const reading = await read(message('text', 'end_turn', { usage }));
      const inputTokens = 'input_tokens' in usage ? Number.NaN : null; // impossible, or not reported
      expect(reading.usage).toEqual({ inputTokens, outputTokens: 1, pages: null, raw: usage });
    },
  );
});

describe('what Anthropic’s configuration lacks', () => {
  const engine = { baseUrl: null, apiKey: KEY, model: 'claude-1', region: null };
  it.each([
    [engine, null],
    [{ ...engine, apiKey: null }, 'api_key is missing'],
    [{ ...engine, model: null }, 'model is missing'],
    [{ ...engine, baseUrl: 'localhost' }, 'base_url is not an address'],
  ])('of %j is %j', (configured, expected) => {
    expect(missingSetting(anthropic, configured)).toBe(expected);
  });
});
