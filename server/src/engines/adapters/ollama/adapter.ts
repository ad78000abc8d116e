import type { Engine } from '../../engine.ts';
import type { AdapterType } from '../adapter-type.ts';
import { HttpAdapter, type Protocol } from '../http/http-adapter.ts';
import type { NativeRules } from '../native-rules.ts';
import { readChat } from './answer.ts';
import { chatRequest } from './body.ts';

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

/** Models that the operator runs with Ollama, by its own API: nobody bills for them, so they count as local. */
export const ollama: AdapterType = {
  name: 'ollama',
  local: true,
  writesText: true,
  languageFamily: 'prompt',
  native: NATIVE,
  needs: ['model'],
  open: (engine, { http }) => new HttpAdapter(http, chat(engine)),
};

function chat(engine: Engine): Protocol<null> {
  const base = engine.baseUrl ?? DEFAULT_BASE_URL;
  const url = `${base}/api/chat`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(engine.apiKey && { authorization: `Bearer ${engine.apiKey}` }),
  };
  return {
    firstDialect: null,
    takesDocuments: false,
    limits: { maxBytes: Number.POSITIVE_INFINITY, maxSide: Number.POSITIVE_INFINITY },
    secret: engine.apiKey,
    request(input, settings) {
      const { body, warnings } = chatRequest(engine.model ?? '', input, settings);
      return { call: { url, headers, body }, warnings };
    },
    read: (answer, input) => readChat(answer, input, engine.apiKey),
    adapt: () => null,
    billed: () => 'no',
  };
}
