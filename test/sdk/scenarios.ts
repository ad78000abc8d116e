import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FileFormat,
  OcrError,
  OcrRouter,
  type OutputOptions,
  type PageResult,
  type PagesOptions,
  type ReadOptions,
} from '@ocr-router/client';

/** A call of a client and what comes of it: the same file for every language. */
export interface Scenario {
  readonly name: string;
  /** The last three are of the request that `read` with the same options made. */
  readonly call: 'read' | 'estimate' | 'engines' | 'pages' | 'output' | 'pdf';
  readonly document?: string;
  readonly options?: ReadOptions;
  readonly allPages?: boolean;
  readonly pages?: Pick<PagesOptions, 'include' | 'per_page'>;
  readonly output?: { readonly format?: FileFormat } & Pick<OutputOptions, 'page' | 'text_layer'>;
  /** Whether the document goes with the call for a file. */
  readonly withDocument?: boolean;
  /** Which way to the gateway: as it is, or one that fails first. */
  readonly through?: 'busy' | 'broken';
  readonly expect?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly status: number };
  readonly costs?: number;
  /** How often a call of it is sent again. */
  readonly retries?: number;
}

export interface Outcome {
  readonly name: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly status: number };
  readonly costs: number;
  readonly retries: number;
}

export interface Site {
  readonly urls: Readonly<Record<'direct' | 'busy' | 'broken', string>>;
  readonly apiKey: string;
  readonly folder: string;
}

/** Runs a scenario with the TypeScript client. */
export async function runScenario(scenario: Scenario, { urls, apiKey, folder }: Site): Promise<Outcome> {
  let retries = 0;
  const onRetry = () => {
    retries += 1;
  };
  const client = new OcrRouter({ url: urls[scenario.through ?? 'direct'], apiKey, onRetry });
  const before = (await client.usage()).total_spent_usd;
  const answer = await call(client, scenario, folder).then(
    (result) => ({ result }),
    (error: unknown) => {
      if (!(error instanceof OcrError)) throw error;
      return { error: { code: error.code, status: error.status } };
    },
  );
  const costs = Number(((await client.usage()).total_spent_usd - before).toFixed(9));
  return { name: scenario.name, ...answer, costs, retries };
}

async function call(client: OcrRouter, scenario: Scenario, folder: string): Promise<unknown> {
  if (scenario.call === 'engines') return client.engines();
  const path = join(folder, scenario.document ?? '');
  const options = { ...scenario.options, allPages: scenario.allPages ?? false };
  if (scenario.call === 'read' || scenario.call === 'estimate') return client[scenario.call](path, options);
  const { request_id } = await client.read(path, options);
  if (scenario.call === 'pages') return pagesOf(client, request_id, scenario);
  const { format = 'text', ...wish } = scenario.output ?? {};
  const bytes =
    scenario.call === 'pdf'
      ? await client.pdf(request_id, path, wish)
      : await client.output(request_id, format, { ...wish, ...(scenario.withDocument && { document: path }) });
  return describeFile(bytes, await readFile(path));
}

async function pagesOf(client: OcrRouter, requestId: string, { pages }: Scenario): Promise<PageResult[]> {
  const found: PageResult[] = [];
  for await (const page of client.pages(requestId, pages)) found.push(page);
  return found;
}

const SHOWN_CHARACTERS = 12;

/** How a file begins: with the document itself, or with which characters; and whether there is more than the document. */
function describeFile(file: Buffer, document: Buffer): { begins: string; growth: 'some' | 'none' } {
  const isExtended = file.length > document.length && file.subarray(0, document.length).equals(document);
  if (isExtended) return { begins: 'the document', growth: 'some' };
  return { begins: file.toString('latin1', 0, SHOWN_CHARACTERS), growth: 'none' };
}
