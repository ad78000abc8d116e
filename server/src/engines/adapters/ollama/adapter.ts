import type { AdapterType } from '../../model/adapter-type.ts';
import type { Engine } from '../../model/engine.ts';
import type { NativeRules } from '../../model/native-rules.ts';
import { bearer, HttpAdapter, ONE_DIALECT, type Protocol } from '../http/http-adapter.ts';
import { readChat } from './answer.ts';
import { chatRequest, forwardedNative } from './body.ts';

const DEFAULT_BASE_URL = 'http://127.0.0.1:11434';

const NATIVE: NativeRules = {
  passes: [
    'think',
    ...[
      ...['temperature', 'top_p', 'top_k', 'min_p', 'typical_p', 'tfs_z', 'seed', 'stop', 'num_ctx', 'num_predict'],
      ...['repeat_penalty', 'repeat_last_n', 'presence_penalty', 'frequency_penalty'],
      ...['mirostat', 'mirostat_eta', 'mirostat_tau'],
    ].map((name) => `options.${name}`),
  ],
  reserved: ['model', 'messages', 'prompt', 'images', 'stream', 'tools'],
};

/** Models that the operator runs with Ollama, by its own API. No provider bills them, so the adapter counts as local. */
export const ollama: AdapterType = {
  name: 'ollama',
  local: true,
  writesText: true,
  languageFamily: 'prompt',
  native: NATIVE,
  forwards: (settings) => ({ ...settings, native: forwardedNative(settings).native }),
  needs: ['model'],
  open: (engine, { http }) => new HttpAdapter(http, chat(engine)),
};

function chat(engine: Engine): Protocol {
  return {
    ...ONE_DIALECT,
    url: `${engine.baseUrl ?? DEFAULT_BASE_URL}/api/chat`,
    headers: bearer(engine.apiKey),
    secret: engine.apiKey,
    takesDocuments: false,
    request: (input, settings) => chatRequest(engine.model ?? '', input, settings),
    read: (answer, input) => readChat(answer, input, engine.apiKey),
  };
}
