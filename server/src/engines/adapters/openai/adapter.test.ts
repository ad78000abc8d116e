import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Adapter, AdapterTools } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings } from '../../model/engine.ts';
import { missingSetting } from '../../model/missing-setting.ts';
import { openai } from './adapter.ts';

const KEY = 'sk-test-1234567890abcdef';
const PICTURE: Extract<EngineInput, { kind: 'picture' }> = {
  kind: 'picture',
  page: 3,
  picture: { bytes: Buffer.from([0, 1, 2, 250]), mimeType: 'image/png', width: 1, height: 1, dpi: null, warnings: [] },
};
const PDF: EngineInput = { kind: 'document', bytes: Buffer.from('%PDF-1.7'), format: 'pdf', pages: [1, 2] };
const SETTINGS: EngineSettings = {
  language: 'ja',
  languageNative: 'Japanese',
  dpi: null,
  detectTables: false,
  native: {},
};
const USAGE = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };

type LookupFound = (error: null, addresses: { address: string; family: number }[]) => void;

interface Call {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** A server that answers each call with the next of its script, and remembers what it was asked. */
class ScriptedServer {
  calls: Call[] = [];
  script: ((res: ServerResponse) => void)[] = [];
  closed = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      this.calls.push({ url: req.url ?? '', headers: req.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
      res.on('close', () => (this.closed += res.writableFinished ? 0 : 1));
      this.script.shift()?.(res);
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo; // listening on TCP
    return `http://127.0.0.1:${port}/v1`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const server = new ScriptedServer();
const http = new Agent();
beforeAll(() => server.listen());
afterAll(async () => {
  await http.destroy();
  server.close();
});
afterEach(() => {
  server.calls = [];
  server.script = [];
});

function open(changes: Partial<Engine> = {}): Adapter {
  const engine = { id: 'x', baseUrl: server.url, apiKey: KEY, model: 'test-model', ...changes } as Engine; // what open() reads
  return openai.open(engine, { http } as unknown as AdapterTools) as Adapter; // http is all it uses; it opens at once
}

const reply =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (res: ServerResponse) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const completion = (message: unknown, finish_reason?: unknown, more: object = {}) =>
  reply(200, {
    id: 'chatcmpl-1',
    model: 'test-model-2026',
    usage: USAGE,
    choices: [{ message, finish_reason }],
    ...more,
  });

async function read(
  script: (res: ServerResponse) => void,
  input: EngineInput = PICTURE,
  settings: Partial<EngineSettings> = {},
) {
  server.script = [script];
  return open().read(input, { ...SETTINGS, ...settings }, new AbortController().signal);
}

describe('the request', () => {
  it('carries the model, the prompt with the language, and the picture as a data URL', async () => {
    await read(completion({ content: 'x' }, 'stop'));
    const [call] = server.calls;
    expect(call?.url).toBe('/v1/chat/completions');
    expect(call?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' });
    expect(call?.body).toEqual({
      model: 'test-model',
      temperature: 0,
      max_tokens: 8192,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: expect.stringContaining('The document is in Japanese.') },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAEC+g==', detail: 'high' } },
          ],
        },
      ],
    });
  });

  it('carries a PDF as a file', async () => {
    await read(completion({ content: '[[page 1]]\na\n[[page 2]]\nb' }, 'stop'), PDF);
    expect(JSON.stringify(server.calls[0]?.body)).toContain(
      '{"type":"file","file":{"filename":"document.pdf","file_data":"data:application/pdf;base64,JVBERi0xLjc="}}',
    );
  });

  it('lets native_settings win, token limits only where they are lower', async () => {
    const native = { temperature: 0.5, max_completion_tokens: 10, top_p: 0.1 };
    await read(completion({ content: 'x' }, 'stop'), PICTURE, { native });
    expect(server.calls[0]?.body).toMatchObject(native);
    expect(server.calls[0]?.body).not.toHaveProperty('max_tokens');
  });

  it.each([
    [{ max_tokens: 1_000_000 }, { max_tokens: 8192 }],
    [{ max_completion_tokens: 8193 }, { max_completion_tokens: 8192 }],
    [{ max_tokens: '10' }, { max_tokens: 8192 }],
    [{ max_tokens: 10, max_completion_tokens: -1 }, { max_tokens: 10 }],
  ])('lowers %j to our own limit, and says so', async (native, limits) => {
    const reading = await read(completion({ content: 'x' }, 'stop'), PICTURE, { native });
    const { model: _, messages: __, temperature: ___, ...sent } = server.calls.at(-1)?.body ?? {};
    expect(sent).toEqual(limits);
    expect(reading.warnings).toEqual([expect.stringMatching(/^native_settings\.max_\w+ was (lowered|ignored)/)]);
  });

  it.each([
    [{ seed: 1, max_tokens: 1_000_000 }, 1, { seed: 1, max_tokens: 8192 }],
    [{ max_completion_tokens: 1_000_000 }, 3, { max_completion_tokens: 24_576 }],
    [{ seed: 1, max_tokens: '10' }, 1, { seed: 1 }],
    [{ max_tokens: 10, max_completion_tokens: -1 }, 1, { max_tokens: 10 }],
  ])(
    'tells before a call what of %j it sends on for %i pages, and the call sends that',
    async (native, pages, sent) => {
      expect(openai.forwards?.({ ...SETTINGS, native }, pages)).toMatchObject({ language: 'ja', native: sent });
      const input = pages === 1 ? PICTURE : ({ ...PDF, pages: [1, 2, 3] } as EngineInput);
      const reading = await read(completion({ content: 'x' }, 'stop'), input, { native });
      expect(reading.forwarded).toEqual({ native: sent });
      expect(server.calls.at(-1)?.body).toMatchObject(sent);
    },
  );

  it('tells after a call what it sent to a model that allows less, also where the call failed', async () => {
    const rejection = { message: 'max_tokens is too large: 8192. This model supports at most 4096 tokens' };
    server.script = [reply(400, { error: rejection }), completion({ content: 'x' }, 'stop'), reply(500, '')];
    const adapter = open();
    const signal = new AbortController().signal;
    await adapter.read(PICTURE, SETTINGS, signal);
    const reading = await adapter.read(PICTURE, { ...SETTINGS, native: { max_tokens: 100_000 } }, signal);
    expect(reading).toMatchObject({ ending: { kind: 'failed' }, forwarded: { native: { max_tokens: 4096 } } });
    expect(server.calls.at(-1)?.body).toMatchObject({ max_tokens: 4096 });
  });

  it('goes without a key to a server that needs none', async () => {
    server.script = [completion({ content: 'x' }, 'stop')];
    await open({ apiKey: null, baseUrl: server.url }).read(PICTURE, SETTINGS, new AbortController().signal);
    expect(server.calls[0]?.url).toBe('/v1/chat/completions');
    expect(server.calls[0]?.headers).not.toHaveProperty('authorization');
  });

  it('learns which of its own parameters a model rejects, and remembers it', async () => {
    const rejection = (param: string, code: string) =>
      reply(400, { error: { message: `${param} is not supported`, type: 'invalid_request_error', param, code } });
    server.script = [
      rejection('max_tokens', 'unsupported_parameter'),
      rejection('temperature', 'unsupported_value'),
      completion({ content: 'one' }, 'stop'),
      completion({ content: 'two' }, 'stop'),
    ];
    const adapter = open();
    const signal = new AbortController().signal;
    expect((await adapter.read(PICTURE, SETTINGS, signal)).pages[0]?.text).toBe('one');
    expect((await adapter.read(PICTURE, SETTINGS, signal)).pages[0]?.text).toBe('two');
    expect(server.calls).toHaveLength(4);
    for (const { body } of server.calls.slice(2)) {
      expect(body).toMatchObject({ max_completion_tokens: 16_384 });
      expect(Object.keys(body)).not.toContain('temperature');
    }
  });

  const unsupported =
    "litellm.UnsupportedParamsError: gpt-5 models (including gpt-5-codex) don't support temperature=0.";
  const temperature = { message: "Unsupported value: 'temperature' does not support 0 with this model." };
  const inner = { error: { ...temperature, param: 'temperature', code: 'unsupported_value' } };
  it.each([
    ['in LiteLLM’s words', { error: { message: unsupported, type: 'None', param: null, code: '400' } }],
    ['without a code', { error: { ...temperature, param: 'temperature', code: null } }],
    ['behind OpenRouter', { error: { code: 400, message: 'E', metadata: { raw: JSON.stringify(inner) } } }],
    ['in a list', [inner]],
  ])('learns of a rejection %s', async (_, body) => {
    server.script = [reply(400, body), completion({ content: 'x' }, 'stop')];
    const { ending } = await open().read(PICTURE, SETTINGS, new AbortController().signal);
    expect(ending).toEqual({ kind: 'ok' });
    expect(server.calls.map(({ body: sent }) => 'temperature' in sent)).toEqual([true, false]);
  });

  it('learns of another name for the output’s cap in words', async () => {
    const message = "openai does not support parameters: ['max_tokens'], for model=o1. Unsupported parameter.";
    server.script = [reply(400, { error: { message, code: '400' } }), completion({ content: 'x' }, 'stop')];
    await open().read(PICTURE, SETTINGS, new AbortController().signal);
    expect(server.calls.at(-1)?.body).toMatchObject({ max_completion_tokens: 8192 });
    expect(server.calls.at(-1)?.body).not.toHaveProperty('max_tokens');
  });

  it.each([
    'This model does not support image input.',
    'max_tokens is too large. This model supports at most 65536 tokens.',
    'temperature must be a number.',
  ])('does not ask again for %j', async (message) => {
    expect((await read(reply(400, { error: { message } }))).ending).toMatchObject({ kind: 'failed', httpStatus: 400 });
    expect(server.calls).toHaveLength(1);
  });

  it('learns how much a model writes at most, and does not ask again for what is no less', async () => {
    const rejection = (allowed: number) =>
      reply(400, {
        error: { message: `max_tokens is too large: 16384. This model supports at most ${allowed} tokens` },
      });
    server.script = [rejection(4096), completion({ content: '[[page 1]]\na' }, 'stop'), rejection(4096)];
    const adapter = open();
    const signal = new AbortController().signal;
    expect((await adapter.read(PDF, SETTINGS, signal)).ending).toEqual({ kind: 'ok' });
    expect((await adapter.read(PDF, SETTINGS, signal)).ending).toMatchObject({ kind: 'failed', temporary: false });
    expect(server.calls.map(({ body }) => body['max_tokens'])).toEqual([16_384, 4096, 4096]);
  });

  it('asks a model for what it allows where an operator’s word for a page is more', async () => {
    const message = 'max_tokens is too large: 20000. This model supports at most 16384 completion tokens';
    server.script = [reply(400, { error: { message } }), completion({ content: 'x' }, 'stop')];
    const adapter = open({ pageOutputTokens: 20_000 });
    const reading = await adapter.read(
      PICTURE,
      { ...SETTINGS, pageOutputTokens: 20_000 },
      new AbortController().signal,
    );
    expect(reading.ending).toEqual({ kind: 'ok' });
    expect(server.calls.map(({ body }) => body['max_tokens'])).toEqual([20_000, 16_384]);
  });

  it('does not ask again when the rejected parameter is the caller’s own', async () => {
    const error = { message: 'temperature is not supported', param: 'temperature', code: 'unsupported_value' };
    const reading = await read(reply(400, { error }), PICTURE, { native: { temperature: 2 } });
    expect(reading.ending).toMatchObject({ kind: 'failed', temporary: false });
    expect(server.calls).toHaveLength(1);
  });
});

describe('a model that reasons', () => {
  const signal = new AbortController().signal;
  const limits = () => server.calls.map(({ body }) => body['max_tokens']);
  const cut = (more: object, message: object = {}) =>
    completion({ content: null, ...message }, 'length', { usage: { ...USAGE, ...more } });
  const counted = (reasoning_tokens: number) => ({ completion_tokens_details: { reasoning_tokens } });

  async function readTwice(first: (res: ServerResponse) => void, adapter = open(), settings = SETTINGS) {
    server.script = [first, completion({ content: 'x' }, 'stop')];
    await adapter.read(PICTURE, settings, signal);
    return adapter.read(PICTURE, settings, signal);
  }

  it.each([
    ['by its usage', cut(counted(20))],
    ['by reasoning that stands beside its text', cut({}, { reasoning_content: 'hm' })],
    ['by reasoning, as OpenRouter names it', cut({}, { reasoning: 'hm' })],
    ['by thinking before its text', cut({}, { content: '<think>hm' })],
  ])('is told %s, and has room for that from then on', async (_, first) => {
    const { mostTokens } = await readTwice(first);
    expect(limits()).toEqual([8192, 16_384]);
    expect(mostTokens?.output).toBe(16_384);
  });

  it('is told at Google by a total that is more, and has its reasoning counted up to what it was allowed', async () => {
    const connect = {
      lookup: (_: string, __: object, found: LookupFound) => found(null, [{ address: '127.0.0.1', family: 4 }]),
    };
    const google = new Agent({ connect });
    onTestFinished(() => google.destroy());
    const engine = { id: 'x', baseUrl: server.url.replace('127.0.0.1', 'x.googleapis.com'), model: 'm' } as Engine; // as above
    const adapter = await openai.open(engine, { http: google } as unknown as AdapterTools); // as above
    const answer = (total_tokens: number) =>
      completion({ content: 'x' }, 'stop', { usage: { ...USAGE, total_tokens } });
    server.script = [answer(1500), answer(13_000), answer(1000 + 16_385)];
    const outputs: unknown[] = [];
    for (let i = 0; i < 3; i++) outputs.push((await adapter.read(PICTURE, SETTINGS, signal)).usage?.outputTokens);
    expect(limits()).toEqual([8192, 16_384, 16_384]);
    expect(outputs).toEqual([500, 12_000, 20]);
  });

  it('is none where nothing says so, nor where only one caller’s native_settings have it reason', async () => {
    await readTwice(completion({ content: 'x' }, 'stop', { usage: { ...USAGE, ...counted(0) } }));
    expect(limits()).toEqual([8192, 8192]);
    server.calls = [];
    const adapter = open();
    await readTwice(cut(counted(20)), adapter, { ...SETTINGS, native: { reasoning_effort: 'high' } });
    expect(limits()).toEqual([16_384, 16_384]);
    server.calls = [];
    await readTwice(completion({ content: 'x' }, 'stop'), adapter);
    expect(limits()).toEqual([8192, 8192]);
  });

  it('has room where a caller has it reason, and none more where it is told not to', async () => {
    const ofNative = async (native: Record<string, unknown>) => {
      server.calls = [];
      const { forwarded } = await read(completion({ content: 'x' }, 'stop'), PICTURE, { native });
      expect(openai.forwards?.({ ...SETTINGS, native }, 1)).toMatchObject(forwarded ?? {});
      return limits()[0];
    };
    expect(await ofNative({ reasoning_effort: 'low' })).toBe(16_384);
    expect(await ofNative({ reasoning_effort: 'low', max_tokens: 99_999 })).toBe(16_384);
    expect(await ofNative({ chat_template_kwargs: { enable_thinking: true } })).toBe(16_384);
    expect(await ofNative({ reasoning_effort: 'none' })).toBe(8192);
    expect(await ofNative({ chat_template_kwargs: { enable_thinking: false }, max_tokens: 99_999 })).toBe(8192);
  });

  it('has an operator’s word for all that it writes, however much that is', async () => {
    const settings = { ...SETTINGS, pageOutputTokens: 50_000 };
    await readTwice(cut(counted(20)), open({ pageOutputTokens: 50_000 }), settings);
    expect(limits()).toEqual([50_000, 50_000]);
  });

  it('is asked for less where its server does not take so much, whatever it says of that', async () => {
    const adapter = open();
    await readTwice(cut(counted(20)), adapter);
    server.calls = [];
    const refusal = reply(400, { error: { message: 'max_tokens: out of range' } });
    const reasoned = completion({ content: 'x' }, 'stop', { usage: { ...USAGE, ...counted(5) } });
    server.script = [refusal, reasoned, completion({ content: 'y' }, 'stop')];
    expect((await adapter.read(PICTURE, SETTINGS, signal)).ending).toEqual({ kind: 'ok' });
    await adapter.read(PICTURE, SETTINGS, signal);
    expect(limits()).toEqual([16_384, 8192, 8192]);
  });

  it('is asked for less also where a caller has it reason', async () => {
    server.script = [
      reply(400, { error: { message: 'max_tokens: out of range' } }),
      completion({ content: 'x' }, 'stop'),
    ];
    const { ending } = await open().read(PICTURE, { ...SETTINGS, native: { reasoning_effort: 'high' } }, signal);
    expect([ending, limits()]).toEqual([{ kind: 'ok' }, [16_384, 8192]]);
  });

  it('is sent nothing twice that would be no less', async () => {
    const settings = { ...SETTINGS, pageOutputTokens: 8192 };
    const tooLong = reply(400, { error: { message: 'the prompt has too many tokens' } });
    const adapter = open({ pageOutputTokens: 8192 });
    server.script = [cut(counted(20)), tooLong];
    await adapter.read(PICTURE, settings, signal);
    await adapter.read(PICTURE, settings, signal);
    expect(limits()).toEqual([8192, 8192]);
  });

  it('keeps its room where the context leaves one page less', async () => {
    const adapter = open();
    await readTwice(cut(counted(20)), adapter);
    server.calls = [];
    const message =
      "This model's maximum context length is 16384 tokens. However, you requested 17407 tokens (1023 in the messages, 16384 in the completion).";
    server.script = [
      reply(400, { error: { message } }),
      completion({ content: 'x' }, 'stop', { usage: { ...USAGE, ...counted(5) } }),
      completion({ content: 'y' }, 'stop'),
    ];
    await adapter.read(PICTURE, SETTINGS, signal);
    await adapter.read(PICTURE, SETTINGS, signal);
    expect(limits()).toEqual([16_384, 16_384 - 1023 - 128, 16_384]);
  });
});

describe('a context that prompt and answer share', () => {
  const tooLarge = (context: number, asked: number, input: number) =>
    `'max_tokens' or 'max_completion_tokens' is too large: ${asked}. This model's maximum context length is ${context} tokens and your request has ${input} input tokens (${asked} > ${context} - ${input}).`;
  const requested = (context: number, asked: number, input: number) =>
    `This model's maximum context length is ${context} tokens. However, you requested ${input + asked} tokens (${input} in the messages, ${asked} in the completion). Please reduce the length of the messages or completion.`;
  const passed = (context: number, asked: number, input: number) =>
    `You passed ${Math.min(input, context - asked + 1)} input tokens and requested ${asked} output tokens. However, the model's context length is only ${context} tokens, resulting in a maximum input length of ${context - asked} tokens.`;

  /** A server with a context of so many tokens; a picture takes a token for each of its columns. */
  const served = (context: number, say: typeof tooLarge) => (input: EngineInput) => (res: ServerResponse) => {
    const asked = Number(server.calls.at(-1)?.body['max_tokens']);
    const taken = input.kind === 'picture' ? input.picture.width : 0;
    if (taken + asked > context) return reply(400, { error: { message: say(context, asked, taken), code: 400 } })(res);
    return completion({ content: 'x' }, 'stop')(res);
  };
  const wide = (width: number): EngineInput => ({ ...PICTURE, picture: { ...PICTURE.picture, width, height: 1 } });

  async function readWith(adapter: Adapter, input: EngineInput, server_: ReturnType<typeof served>) {
    server.calls = [];
    server.script = Array.from({ length: 12 }, () => server_(input));
    const { ending } = await adapter.read(input, SETTINGS, new AbortController().signal);
    return { ending, asked: server.calls.map(({ body }) => Number(body['max_tokens'])) };
  }

  it.each([
    ['as vLLM says it', 8192, tooLarge],
    ['as vLLM says it', 4096, tooLarge],
    ['as vLLM said it', 8192, requested],
    ['as vLLM said it', 4096, requested],
  ])('%s leaves of %i tokens what the prompt does not take, less a margin', async (_, context, say) => {
    const { ending, asked } = await readWith(open(), wide(1023), served(context, say));
    expect(ending).toEqual({ kind: 'ok' });
    expect(asked).toEqual([8192, context - 1023 - 128]);
  });

  it('is looked for by halves where the prompt was not counted to its end', async () => {
    const { ending, asked } = await readWith(open(), wide(5000), served(8192, passed));
    expect(ending).toEqual({ kind: 'ok' });
    expect(asked).toEqual([8192, 4096, 2048]);
  });

  it('is of one page: others are asked for all that there may be, whatever it left before', async () => {
    const adapter = open();
    const server_ = served(8192, tooLarge);
    expect(await readWith(adapter, wide(7000), server_)).toMatchObject({ asked: [8192, 1064] });
    expect(await readWith(adapter, wide(7500), server_)).toMatchObject({ asked: [8192, 8192 - 7500 - 128] });
    expect(await readWith(adapter, wide(0), server_)).toMatchObject({ ending: { kind: 'ok' }, asked: [8192] });
  });

  it('fails a page beside which there is no room', async () => {
    const { ending, asked } = await readWith(open(), wide(8100), served(8192, tooLarge));
    expect(ending).toMatchObject({ kind: 'failed', temporary: false, httpStatus: 400 });
    expect(asked).toEqual([8192]);
  });

  it('is not taken for what a caller has asked for', async () => {
    const message = tooLarge(4096, 8192, 1023);
    const reading = await read(reply(400, { error: { message } }), PICTURE, { native: { max_tokens: 8192 } });
    expect(reading.ending).toMatchObject({ kind: 'failed', httpStatus: 400 });
    expect(server.calls).toHaveLength(1);
  });
});

describe('the answer', () => {
  it('is the text, the usage as it came, and the ids', async () => {
    server.script = [completion({ content: '# Title\n' }, 'stop')];
    expect(await open().read(PICTURE, SETTINGS, new AbortController().signal)).toEqual({
      ending: { kind: 'ok' },
      pages: [{ number: 3, text: '# Title\n', confidence: null, source: 'engine' }],
      usage: { inputTokens: 1000, outputTokens: 20, pages: null, raw: USAGE },
      mostTokens: { input: expect.any(Number), output: 8192 },
      billed: 'yes',
      providerRequestId: 'chatcmpl-1',
      modelVersion: 'test-model-2026',
      warnings: [],
    });
  });

  it('takes no output from a total that may count something else', async () => {
    const usage = { prompt_tokens: 20, completion_tokens: 424, total_tokens: 1016 };
    const reading = await read(completion({ content: 'x' }, 'stop', { usage }), PICTURE);
    expect(reading.usage).toMatchObject({ inputTokens: 20, outputTokens: 424 });
  });

  it('takes the request id from the header', async () => {
    const script = reply(200, { choices: [{ message: { content: 'x' } }] }, { 'x-request-id': 'req_1' });
    expect(await read(script)).toMatchObject({
      providerRequestId: 'req_1',
      modelVersion: null,
      usage: null,
      billed: 'yes',
    });
  });
});

describe('the ending', () => {
  const hiddenError = { error: { code: 502, message: 'Provider returned error' } };
  const table: [name: string, script: (res: ServerResponse) => void, kind: string, billed: string][] = [
    ['a text', completion({ content: 'text' }, 'stop'), 'ok', 'yes'],
    ['the output limit', completion({ content: 'te' }, 'length'), 'truncated', 'yes'],
    ['a refusal', completion({ content: null, refusal: 'I will not.' }, 'stop'), 'refused', 'yes'],
    ['no text', completion({ content: '' }, 'stop'), 'empty', 'yes'],
    ['an answer that is no JSON', reply(200, '<html>'), 'failed', 'unknown'],
    ['an error inside HTTP 200', reply(200, hiddenError), 'failed', 'unknown'],
    ['an answer without a body', reply(204, ''), 'failed', 'unknown'],
    ['a rate limit', reply(429, { error: { code: 'rate_limit_exceeded' } }), 'failed', 'no'],
    ['a server error', reply(500, ''), 'failed', 'no'],
    ['a wrong key', reply(401, { error: { message: `Incorrect API key: ${KEY}` } }), 'failed', 'no'],
    ['a filter before the engine', reply(400, { error: { code: 'content_filter', message: 'x' } }), 'refused', 'no'],
    [
      'a picture it cannot read',
      reply(400, { error: { code: 'image_parse_error', message: 'x' } }),
      'unreadable',
      'no',
    ],
    ['a redirect', reply(307, '', { location: 'http://127.0.0.1:1/' }), 'failed', 'no'],
    ['a broken connection', (res) => res.destroy(), 'failed', 'no'],
    ['a broken answer', (res) => void res.writeHead(200).write('{"id', () => res.destroy()), 'failed', 'unknown'],
  ];
  it.each(table)('of %s', async (_name, script, kind, billed) => {
    const reading = await read(script);
    expect(reading).toMatchObject({ ending: { kind }, billed });
    expect(reading.pages).toHaveLength(kind === 'ok' || kind === 'truncated' ? 1 : 0);
    expect(JSON.stringify(reading)).not.toContain(KEY);
  });

  it('of a server that does not answer the door is a failure that nobody bills', async () => {
    const unused = new ScriptedServer();
    await unused.listen();
    const baseUrl = unused.url;
    unused.close();
    const reading = await open({ baseUrl }).read(PICTURE, SETTINGS, new AbortController().signal);
    expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: true, httpStatus: null }, billed: 'no' });
  });

  it('of an answer beyond 16 MB is a failure, and the connection is closed', async () => {
    const reading = await read(reply(200, ' '.repeat(17 * 1024 * 1024)));
    expect(reading).toMatchObject({ ending: { kind: 'failed', temporary: false }, billed: 'unknown' });
  });

  it.each(['before the headers', 'within the body'])(
    'of an abort %s is the signal’s reason, and the connection closes',
    async (when) => {
      const stop = new AbortController();
      const reason = new Error('time is over');
      const before = server.closed;
      server.script = [
        (res) => {
          if (when === 'before the headers') stop.abort(reason);
          else res.writeHead(200).write('{', () => stop.abort(reason));
        },
      ];
      await expect(open().read(PICTURE, SETTINGS, stop.signal)).rejects.toBe(reason);
      await expect.poll(() => server.closed).toBe(before + 1);
    },
  );

  it('of a signal that was aborted before is its reason, without a call', async () => {
    const reason = new Error('too late');
    await expect(open().read(PICTURE, SETTINGS, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.calls).toEqual([]);
  });
});

describe('missing', () => {
  const engine = { baseUrl: null, apiKey: null, model: 'm', region: null };
  it.each([
    [{ ...engine, apiKey: KEY }, null],
    [{ ...engine, baseUrl: 'http://localhost:8000/v1' }, null],
    [engine, 'api_key is missing'],
    [{ ...engine, baseUrl: 'https://api.openai.com/v1/' }, 'api_key is missing'],
    [{ ...engine, apiKey: KEY, model: null }, 'model is missing'],
    [{ ...engine, baseUrl: 'localhost' }, 'base_url is not an address'],
  ])('of %j is %j', (configured, expected) => {
    expect(missingSetting(openai, configured)).toBe(expected);
  });
});
