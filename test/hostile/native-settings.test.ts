import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../house/graphql.ts';
import { pictureBody } from '../house/ocr-body.ts';
import { sharedHouse } from '../house/shared-house.ts';

const house = await sharedHouse('several');
const { caller } = await house.account();
beforeEach(() => house.engines.reset());

const LIMIT_BYTES = 16_384;

/** An object in which `levels` objects stand within each other. */
function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}

/** A body as text: what is nested deeply cannot be written by JSON.stringify. */
async function bodyWith(native: string): Promise<string> {
  const body = await pictureBody('reader');
  return `${JSON.stringify(body).slice(0, -1)},"native_settings":${native}}`;
}

/** Settings of exactly so many bytes as JSON. */
function ofBytes(bytes: number): string {
  const frame = JSON.stringify({ stop: '' }).length;
  return JSON.stringify({ stop: 'x'.repeat(bytes - frame) });
}

describe('native_settings are bounded', () => {
  it.each([21, 4000, 100_000])('%i deep is 400', async (levels) => {
    const { status, body } = await caller.ocr(await bodyWith(nested(levels)));
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringMatching(/^native_settings/) },
    });
    expect(house.engines.calls('reader')).toEqual([]);
  });

  it('of lists within each other, too', async () => {
    const lists = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    expect((await caller.ocr(await bodyWith(lists))).status).toBe(400);
  });

  it('20 deep and 16 kB pass', async () => {
    expect((await caller.ocr(await bodyWith(nested(20)))).status).toBe(200);
    expect((await caller.ocr(await bodyWith(ofBytes(LIMIT_BYTES)))).status).toBe(200);
  });

  it('a byte more than 16 kB is 400, counted in UTF-8', async () => {
    for (const native of [ofBytes(LIMIT_BYTES + 1), JSON.stringify({ stop: 'é'.repeat(LIMIT_BYTES / 2) })]) {
      const { status, body } = await caller.ocr(await bodyWith(native));
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: { code: 'invalid_request' } });
    }
  });

  it('7 MB of them store nothing', async () => {
    const { status } = await caller.ocr(await bodyWith(ofBytes(7_000_000)));
    expect(status).toBe(400);
  });

  it('an item of a batch is rejected by itself', async () => {
    const sound = JSON.stringify(await pictureBody('reader'));
    const body = `{"items":[${sound},${await bodyWith(nested(4000))},${await bodyWith(ofBytes(LIMIT_BYTES + 1))}]}`;
    const reply = await caller.call<{ results: { status: string; error?: { code: string } }[] }>(
      'POST',
      '/v1/ocr/batch',
      { headers: { 'content-type': 'application/json' }, body },
    );
    expect(reply.status, reply.text.slice(0, 300)).toBe(200);
    expect(reply.body.results).toMatchObject([
      { status: 'succeeded' },
      { status: 'rejected', error: { code: 'invalid_request' } },
      { status: 'rejected', error: { code: 'invalid_request' } },
    ]);
  });

  it('by GraphQL as well', async () => {
    const submit = `mutation($r: OcrRequestInput!, $k: String!) { submitOcr(request: $r, idempotencyKey: $k) { id status } }`;
    const { engine, input } = await pictureBody('reader');
    const document = { type: input.type, dataBase64: input.data_base64 };
    for (const native of [nested(4000), ofBytes(LIMIT_BYTES + 1)]) {
      const request = `${JSON.stringify({ engine, input: document }).slice(0, -1)},"nativeSettings":${native}}`;
      const variables = `{"r":${request},"k":"${randomUUID()}"}`;
      const reply = await caller.call<{ errors?: { extensions: { code: string } }[] }>('POST', '/graphql', {
        headers: { 'content-type': 'application/json' },
        body: `{"query":${JSON.stringify(submit)},"variables":${variables}}`,
      });
      expect(reply.body.errors?.map(({ extensions }) => extensions.code)).toEqual(['invalid_request']);
    }
    const small = { engine, input: document, nativeSettings: { temperature: 0.5 } };
    expect((await ask(caller, submit, { r: small, k: randomUUID() })).codes).toEqual([]);
  });

  it('nesting elsewhere in a body is answered, too', async () => {
    const body = JSON.stringify(await pictureBody('reader')).slice(0, -1);
    for (const field of ['unknown', 'settings', 'options', 'page_count', 'webhook_url']) {
      const { status } = await caller.ocr(`${body},"${field}":${nested(5000)}}`);
      expect([200, 400], field).toContain(status);
    }
    expect((await caller.ocr(`{"engine":"reader","input":${nested(5000)}}`)).status).toBe(400);
  });
});

describe('native_settings reach neither document nor bill', () => {
  const attack = {
    model: 'most-expensive-model',
    n: 64,
    max_tokens: 1_000_000,
    tools: [{ type: 'web_search' }],
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://169.254.169.254/' } }] }],
    stream: true,
    temperature: 0.25,
  };

  it('the provider gets the caller’s own document, our model, and one answer of our length', async () => {
    const { status, body } = await caller.ocr(await pictureBody('reader', { native_settings: attack }));
    expect(status, JSON.stringify(body)).toBe(200);
    const [call] = house.engines.calls('reader');
    expect(call?.body).toMatchObject({ model: 'scripted-1', max_tokens: 8192, temperature: 0.25 });
    for (const name of ['n', 'tools', 'stream']) expect(call?.body).not.toHaveProperty(name);
    expect(JSON.stringify(call?.body)).not.toContain('169.254');
    const warned = body.warnings?.join('\n') ?? '';
    for (const name of ['model', 'n', 'tools', 'messages', 'stream'])
      expect(warned).toContain(`native_settings.${name} `);
    expect(body.applied_settings).toMatchObject({ native: { temperature: 0.25 } });
    expect(JSON.stringify(body.applied_settings)).not.toContain('expensive');
  });

  it('a smaller token limit is the caller’s to choose', async () => {
    await caller.ocr(await pictureBody('reader', { native_settings: { max_completion_tokens: 10 } }));
    expect(house.engines.calls('reader')[0]?.body).toMatchObject({ max_completion_tokens: 10 });
    expect(house.engines.calls('reader')[0]?.body).not.toHaveProperty('max_tokens');
  });

  it('an operator lets more pass by name', async () => {
    const vendor = { nested: [1, 'two', null] };
    for (const engine of ['reader', 'wider']) {
      await caller.ocr(await pictureBody(engine, { native_settings: { vendor, model: 'other' } }));
    }
    expect(house.engines.calls('reader')[0]?.body).not.toHaveProperty('vendor');
    expect(house.engines.calls('wider')[0]?.body).toMatchObject({ vendor, model: 'scripted-1' });
  });

  it('names at most twenty of them, and counts the rest', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field_${n}`, n]));
    const { body } = await caller.ocr(await pictureBody('reader', { native_settings: many }));
    expect(body.warnings).toHaveLength(21);
    expect(body.warnings?.at(-1)).toContain('480 more');
  });
});

describe('warnings do not grow with the input', () => {
  it.each(['json', 'text'])('of language codes, with output_format %s', async (output_format) => {
    const codes = Array.from({ length: 5000 }, (_, n) => n.toString(36).padStart(3, 'q')).join('+');
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${'x'.repeat(90)}${n}`, 1]));
    for (const more of [{ lang: codes.slice(0, 16_000) }, unknown]) {
      const body = await pictureBody('tesseract', { output_format, ...unknown, native_settings: more });
      const { status, headers, text } = await caller.ocr(body);
      expect(status, text.slice(0, 300)).toBeLessThan(400);
      const header = headers['x-ocr-warnings'] ?? '';
      expect(Buffer.byteLength(header)).toBeLessThanOrEqual(8192);
      if (output_format === 'text') continue;
      const { warnings = [] } = JSON.parse(text) as { warnings?: string[] };
      expect(warnings.length).toBeLessThanOrEqual(64);
      for (const warning of warnings) expect(warning.length).toBeLessThanOrEqual(300);
    }
  });
});
