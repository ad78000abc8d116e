import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EngineEntry } from './engines-file.ts';
import { makeCatalogue } from './make-catalogue.ts';

const ENTRY: EngineEntry = { id: 'x', name: 'X', provider: 'somewhere', adapter: 'openai', price_per_page_usd: 0 };
const OPTIONS = { secrets: {}, cores: 1, engineLimitMs: 1000 };

function made(changes: Partial<EngineEntry>, secrets: Record<string, string> = {}) {
  return makeCatalogue([{ ...ENTRY, ...changes }], { ...OPTIONS, secrets }).require('x');
}

describe('the most tokens of a page', () => {
  const prices = { token_prices: { input_per_million_usd: 1, output_per_million_usd: 4 } };

  it('are what an operator says', () => {
    const said = { max_input_tokens_per_page: 20_000, max_output_tokens_per_page: 25_000 };
    expect(made({ model: 'm', ...prices, ...said })).toMatchObject({
      mostPageTokens: { input: 20_000, output: 25_000 },
      pageOutputTokens: 25_000,
    });
  });

  it.each(['openai', 'anthropic', 'ollama'])(
    'are asked for in all, once the cost of a page is bounded, of %s',
    (adapter) => {
      expect(made({ model: 'm', ...prices, adapter, max_input_tokens_per_page: 20_000 })).toMatchObject({
        mostPageTokens: { input: 20_000, output: 8192 },
        pageOutputTokens: 8192,
      });
    },
  );

  it('have room for reasoning at gemini, which asks for it in any case', () => {
    expect(made({ model: 'm', ...prices, adapter: 'gemini', max_input_tokens_per_page: 20_000 })).toMatchObject({
      mostPageTokens: { input: 20_000, output: 16_384 },
      pageOutputTokens: null,
    });
  });

  it('are not known where the input is not bounded, and left to the adapter', () => {
    expect(made({ model: 'm', ...prices })).toMatchObject({ mostPageTokens: null, pageOutputTokens: null });
  });
});

describe('an engine’s base_url', () => {
  it.each([
    ['http://gpu-box:8000/v1', 'http://gpu-box:8000/v1'],
    ['http://gpu-box:8000/v1/', 'http://gpu-box:8000/v1'],
    ['http://gpu-box:8000///', 'http://gpu-box:8000'],
    [null, null],
  ])('of %j is %j for every adapter', (base_url, baseUrl) => {
    expect(made({ base_url, model: 'm' }).baseUrl).toBe(baseUrl);
  });
});

describe('an engine’s status', () => {
  const local = 'http://localhost:8000/v1';
  const cases: [configured: Partial<EngineEntry>, status: string][] = [
    [{ adapter: 'tesseract' }, 'available'],
    [{ adapter: 'pdf-text' }, 'available'],
    [{ model: 'm', api_key: 'k' }, 'available'],
    [{ model: 'm' }, 'coming_soon'],
    [{ api_key: 'k' }, 'coming_soon'],
    [{ model: 'm', base_url: local }, 'available'],
    [{ model: 'm', base_url: local, api_key_env: 'KEY' }, 'coming_soon'],
    [{ adapter: 'anthropic', model: 'm', base_url: local }, 'coming_soon'],
    [{ adapter: 'anthropic', model: 'm', api_key: 'k' }, 'available'],
    [{ adapter: 'ollama' }, 'coming_soon'],
    [{ adapter: 'ollama', model: 'm' }, 'available'],
    [{ adapter: 'paddle' }, 'coming_soon'],
    [{ adapter: 'paddle', base_url: local }, 'available'],
    [{ adapter: 'textract', api_key: 'id:secret' }, 'coming_soon'],
    [{ adapter: 'textract', region: 'eu-west-1' }, 'available'],
    [{ adapter: 'textract', region: 'eu-west-1', api_key: 'secret' }, 'coming_soon'],
  ];
  it.each(cases)('configured as %j is %s', (configured, status) => {
    expect(made(configured).status).toBe(status);
  });

  it('takes its key from the variable that it names', () => {
    const engine = made({ model: 'm', api_key_env: 'KEY' }, { KEY: 'k' });
    expect(engine).toMatchObject({ status: 'available', apiKey: 'k' });
  });

  it('takes its key from the file that such a variable with _FILE names', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'ocr-key-')), 'key');
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    writeFileSync(file, 'k\n');
    const wanted = { model: 'm', api_key_env: 'KEY' };
    expect(made(wanted, { KEY_FILE: file })).toMatchObject({ status: 'available', apiKey: 'k' });
    expect(made(wanted, { KEY_FILE: file, KEY: 'of the variable' }).apiKey).toBe('of the variable');
  });
});
