import type { DetectDocumentTextCommand, TextractClient } from '@aws-sdk/client-textract';
import type { Adapter, AdapterType } from '../../model/adapter-type.ts';
import type { Engine, EngineInput, EngineSettings, Reading } from '../../model/engine.ts';
import { bytesOf, fitInput, picturesOnly } from '../http/input.ts';
import { readBlocks, readFailure } from './answer.ts';
import { ExchangeHandler } from './exchange-handler.ts';

/** Limits of a picture in one synchronous call. */
const LIMITS = { maxBytes: 10_000_000, maxSide: 10_000 };
const KEY_PAIR = /^([^:\s]+):([^:\s]+)$/;
const LANGUAGES = ['en', 'es', 'de', 'fr', 'it', 'pt'];

/** Amazon Textract's DetectDocumentText: one picture a call, lines of printed and handwritten Latin script. */
export const textract: AdapterType = {
  name: 'textract',
  local: false,
  languageFamily: 'list',
  // The operation takes a document and nothing else, and that one is not the caller's to replace by an S3 object.
  native: { passes: [], reserved: ['Document', 'Bytes', 'S3Object'], sendsNone: true },
  needs: ['region'],
  problem: ({ apiKey }) => (apiKey && !KEY_PAIR.test(apiKey) ? 'api_key is not ID:secret' : null),
  async open(engine, { http }) {
    // Imported here: the SDK costs time and memory that only those pay who configured the engine.
    const sdk = await import('@aws-sdk/client-textract');
    const client = new sdk.TextractClient({
      ...(engine.region && { region: engine.region }),
      ...(engine.baseUrl && { endpoint: engine.baseUrl }),
      ...credentialsOf(engine),
      maxAttempts: 1,
      requestHandler: new ExchangeHandler(http),
    });
    return new Textract(client, sdk.DetectDocumentTextCommand, secretOf(engine));
  },
};

class Textract implements Adapter {
  readonly #client: TextractClient;
  readonly #Command: typeof DetectDocumentTextCommand;
  readonly #secret: string | null;

  constructor(client: TextractClient, Command: typeof DetectDocumentTextCommand, secret: string | null) {
    this.#client = client;
    this.#Command = Command;
    this.#secret = secret;
  }

  async read(input: EngineInput, settings: EngineSettings, signal: AbortSignal): Promise<Reading> {
    signal.throwIfAborted();
    if (input.kind === 'document') return picturesOnly();
    const { fitting, notes } = await fitInput(input, LIMITS, signal);
    const warnings = [...notes, ...notApplied(settings)];
    try {
      const command = new this.#Command({ Document: { Bytes: bytesOf(fitting) } });
      const output = await this.#client.send(command, { abortSignal: signal });
      return { ...readBlocks(output, { number: input.page, positions: settings.positions ?? false }), warnings };
    } catch (error) {
      signal.throwIfAborted();
      return { ...readFailure(error, this.#secret), warnings };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.destroy();
  }
}

/** The configured pair of keys; without one the SDK looks where AWS credentials usually are. */
function credentialsOf({ apiKey }: Engine) {
  const [, accessKeyId, secretAccessKey] = KEY_PAIR.exec(apiKey ?? '') ?? [];
  return accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {};
}

function secretOf({ apiKey }: Engine): string | null {
  return KEY_PAIR.exec(apiKey ?? '')?.[2] ?? null;
}

function notApplied({ language }: EngineSettings): string[] {
  const unknown = language.split('+').filter((code) => !LANGUAGES.includes(code));
  if (unknown.length === 0) return [];
  return [`Textract takes no language and reads ${LANGUAGES.join(', ')}; "${language}" had no effect.`];
}
