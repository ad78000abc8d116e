import { describe, expect, it } from 'vitest';
import { httpEnding, readFault } from './failure.ts';

const KEY = 'sk-test-1234567890abcdef';
const USED_UP = 'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.';
const ending = (status: number, body: unknown) =>
  httpEnding(readFault(status, typeof body === 'string' ? body : JSON.stringify(body)), KEY);
const openai = (code: string | null, message = 'words', type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
});

describe('httpEnding', () => {
  const table: [name: string, status: number, body: unknown, kind: string, temporary?: boolean][] = [
    ['a rate limit', 429, openai('rate_limit_exceeded'), 'failed', true],
    ['an empty account', 429, openai('insufficient_quota', 'quota', 'insufficient_quota'), 'failed', false],
    ['an empty account in words', 400, openai(null, 'Your credit balance is too low.'), 'failed', false],
    [
      'a limit of usage that is reached',
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: USED_UP } },
      'failed',
      false,
    ],
    ['a payment that is due', 402, { error: { message: 'Insufficient credits', code: 402 } }, 'failed', false],
    ['a timeout of the provider', 408, '', 'failed', true],
    ['a conflict', 409, '', 'failed', true],
    ['a server error', 500, openai(null, 'The server had an error'), 'failed', true],
    ['a bad gateway', 502, '<html>Bad gateway</html>', 'failed', true],
    ['an overload', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'failed', true],
    ['a proxy’s timeout', 524, '', 'failed', true],
    ['a proxy’s bad certificate', 526, '', 'failed', false],
    ['a wrong key', 401, openai('invalid_api_key', `Incorrect API key: ${KEY}`), 'failed', false],
    ['a forbidden model', 403, openai(null), 'failed', false],
    ['an unknown model', 404, openai('model_not_found'), 'failed', false],
    ['a redirect', 302, '', 'failed', false],
    ['a bad parameter', 400, openai(null, "Unknown parameter: 'foo'."), 'failed', false],
    ['a model without eyes', 400, openai(null, 'This model does not support image input'), 'failed', false],
    ['a document too long', 400, openai('context_length_exceeded', 'maximum context length'), 'failed', false],
    ['a body too large', 413, 'Request Entity Too Large', 'failed', false],
    ['an invalid body', 422, { detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] }, 'failed', false],
    ['a bad image by code', 400, openai('invalid_image_format'), 'unreadable'],
    ['a bad image by another code', 400, openai('image_parse_error'), 'unreadable'],
    ['a bad image in words', 400, openai(null, 'Could not process image'), 'unreadable'],
    ['a bad image of PIL', 422, { detail: 'cannot identify image file <_io.BytesIO>' }, 'unreadable'],
    ['a bad image of a local server', 400, { error: 'Failed to load image or audio file' }, 'unreadable'],
    ['a bad PDF', 400, openai(null, 'The PDF is not valid'), 'unreadable'],
    ['a large image', 413, openai('image_too_large'), 'unreadable'],
    ['a bad image of a server that fails', 500, openai('invalid_image_format'), 'failed', true],
    ['a filter by code', 400, openai('content_filter'), 'refused'],
    ['a policy', 400, openai('content_policy_violation'), 'refused'],
    ['a filter in words', 400, openai(null, 'Output blocked by content filtering policy'), 'refused'],
    ['a moderation', 403, { error: { code: 403, message: 'Your input was flagged' } }, 'refused'],
  ];
  it.each(table)('takes %s (%i) as it should', (_name, status, body, kind, temporary) => {
    const got = ending(status, body);
    expect(got).toMatchObject(temporary === undefined ? { kind } : { kind, temporary, httpStatus: status });
    expect(got).not.toMatchObject({ message: expect.stringContaining(KEY) });
  });

  it('quotes the provider’s words, without keys, accounts and echoes of the picture', () => {
    const words = `Bad\nvalue for ${KEY} of org-Abc12345 in ${'iVBORw0KGgo'.repeat(300)} near "x"`;
    expect(ending(400, openai(null, words))).toMatchObject({
      message: 'The engine answered with HTTP 400: Bad value for … of … in … near "x"',
    });
    const [message] = [ending(400, openai(null, 'no good '.repeat(1000)))].map((got) =>
      'message' in got ? got.message : '',
    );
    expect(message?.length).toBeLessThan(300);
  });

  it('does not quote a megabyte without a space', () => {
    expect(ending(400, openai(null, '!'.repeat(2 ** 20)))).toMatchObject({
      message: 'The engine answered with HTTP 400.',
    });
  });

  it('says how long the provider asks to wait', () => {
    const said = (status: number) => {
      const got = httpEnding({ ...readFault(status, ''), retryAfterSeconds: 7 }, KEY);
      return 'message' in got ? got.message : '';
    };
    expect(said(429)).toBe('The engine’s provider limits the rate of requests (HTTP 429) and asks to wait 7 s.');
    expect(said(503)).toBe('The engine answered with HTTP 503 and asks to wait 7 s.');
  });

  it('blames a key that Google does not know on the gateway, too', () => {
    const error = { code: 400, status: 'INVALID_ARGUMENT', message: 'bad', details: [{ reason: 'API_KEY_INVALID' }] };
    expect(ending(400, { error })).toMatchObject({ message: expect.stringContaining('refused its credentials') });
    expect(ending(400, { error })).toMatchObject({ fault: 'credentials_refused' });
  });

  it.each(['Your credit balance is too low.', USED_UP])('blames %j on the gateway’s account', (message) => {
    expect(ending(400, openai(null, message))).toMatchObject({ fault: 'no_credit', providerWords: message });
  });

  it('blames wrong credentials on the gateway, in its own words', () => {
    expect(
      ending(401, openai('invalid_api_key', 'Incorrect API key provided: sk-a****************wxyz.')),
    ).toMatchObject({
      message: 'The gateway’s configuration: the engine’s provider refused its credentials (HTTP 401).',
      fault: 'credentials_refused',
      providerWords: 'Incorrect API key provided: ….',
    });
  });

  it.each([
    [401, 'credentials_refused'],
    [403, 'credentials_refused'],
    [402, 'no_credit'],
    [404, 'unknown_model'],
    [413, 'page_too_large'],
    [429, 'rate_limited'],
    [307, 'redirected'],
    [400, 'http_error'],
    [503, 'http_error'],
  ])('names what HTTP %i means for a program, too: %s', (status, fault) => {
    expect(ending(status, 'what only people read')).toMatchObject({ kind: 'failed', fault });
  });
});

const wrapped = (inner: unknown) => ({
  error: {
    code: 400,
    message: 'Provider returned error',
    metadata: { raw: typeof inner === 'string' ? inner : JSON.stringify(inner), provider_name: 'P' },
  },
});

describe('readFault', () => {
  const shapes: [string, unknown, string][] = [
    ['OpenAI', { error: { message: 'words', code: 'x' } }, 'words'],
    ['Ollama', { error: 'words' }, 'words'],
    ['Mistral', { object: 'error', message: 'words', type: 'x' }, 'words'],
    ['FastAPI', { detail: 'words' }, 'words'],
    ['FastAPI’s validation', { detail: [{ msg: 'words' }] }, 'words'],
    ['Mistral’s validation', { object: 'error', message: { detail: [{ loc: ['body', 'x'], msg: 'words' }] } }, 'words'],
    ['Google’s list of one', [{ error: { code: 400, message: 'words', status: 'INVALID_ARGUMENT' } }], 'words'],
    ['what OpenRouter wraps', wrapped({ error: { message: 'words', code: 'x' } }), 'words'],
    ['what OpenRouter wraps and nobody knows', wrapped('<html>'), 'Provider returned error'],
    ['what OpenRouter wraps without words', wrapped({ error: {} }), 'Provider returned error'],
    ['nothing', null, ''],
    ['a list', [1], ''],
    ['a page', '<html>', ''],
  ];
  it.each(shapes)('reads the words of %s', (_name, body, message) => {
    expect(readFault(400, typeof body === 'string' ? body : JSON.stringify(body)).message).toBe(message);
  });

  it('reads codes and the field beside the words, wherever they stand', () => {
    const error = { message: 'words', type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' };
    const inner = { param: 'temperature', codes: expect.arrayContaining(['unsupported_value']) };
    expect(readFault(400, JSON.stringify(wrapped({ error })))).toMatchObject(inner);
    expect(readFault(400, JSON.stringify([{ error }]))).toMatchObject(inner);
    const message = { detail: [{ loc: ['body', 'include_blocks'], msg: 'Extra inputs' }] };
    expect(readFault(422, JSON.stringify({ message }))).toMatchObject({ param: 'include_blocks' });
  });

  it('knows a filter behind OpenRouter', () => {
    expect(ending(400, wrapped({ error: { code: 'content_filter', message: 'x' } }))).toMatchObject({
      kind: 'refused',
    });
  });
});
