import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { OcrRouter, Source } from '@ocr-router/client';
import { z } from 'zod';
import { Allowance, type PaidCall } from './allowance.ts';
import { allowedFile } from './allowed-file.ts';
import { content, json, resultOf } from './content.ts';
import { countedPages, estimateOf, type Wish } from './counted-pages.ts';
import { readAnew } from './read-anew.ts';

export interface McpOptions {
  readonly client: OcrRouter;
  /** The folder that files are read from; null where none are read, as over HTTP. */
  readonly root: string | null;
  /** USD that a session may cost; null for no limit. */
  readonly maxCostUsd: number | null;
  readonly version: string;
}

interface Asked extends Wish {
  readonly document: string;
}

const engine = z.string().max(200).optional().describe('Engine id; tesseract when absent.');
const pages = z
  .number()
  .int()
  .min(1)
  .max(100_000)
  .optional()
  .describe('The most pages to read; all of them when absent.');
const source = z.string().min(1).max(8192);
const request_id = z.string().max(100).describe('Id of the request, ocr_….');
const part = z.number().int().min(1).max(1_000_000).optional();
const include = z
  .array(z.enum(['lines', 'words', 'tables']))
  .max(3)
  .optional();
/** Pages in one part of the answer of `get_pages`. */
const PER_PART = 20;

/** Makes a server that offers the gateway as tools of an agent. */
export function mcpServer({ client, root, maxCostUsd, version }: McpOptions): McpServer {
  const server = new McpServer({ name: 'ocr-router', version });
  const where =
    root === null ? 'Public http(s) URL of a picture or a PDF.' : `File below ${root}, or a public http(s) URL.`;
  const document = source.describe(where);
  const allowance = maxCostUsd === null ? null : new Allowance(maxCostUsd);

  const sourceOf = async ({ document: given }: Asked): Promise<Source> => {
    if (/^https?:\/\//i.test(given)) return given;
    if (root === null) throw new Error('Only http(s) URLs are read here.');
    return allowedFile(root, given);
  };
  const optionsOf = ({ engine: id }: Wish, signal: AbortSignal) => ({ ...(id && { engine: id }), signal });
  /**
   * A call whose pages are counted by an estimate first, so that a fault of the document or the gateway shows before it can cost.
   */
  const paid = (given: Asked, signal: AbortSignal): PaidCall => {
    const options = optionsOf(given, signal);
    let from: Source = '';
    let page_count = 1;
    return {
      async worst(left) {
        from = await sourceOf(given); // in its turn: those that wait keep no documents
        const estimate = await estimateOf(client, from, given, { ...options, max_cost_usd: left });
        page_count = estimate.billed_pages;
        return estimate.worst_case_usd ?? left;
      },
      run: (max_cost_usd, says) => readAnew(client, from, { ...options, ...says, page_count, max_cost_usd }),
    };
  };
  const unbounded = async (given: Asked, signal: AbortSignal) => {
    const options = optionsOf(given, signal);
    const from = await sourceOf(given);
    return readAnew(client, from, { ...options, page_count: await countedPages(client, from, given, options) });
  };

  server.registerTool(
    'read_document',
    {
      description: 'Reads the text of a picture or a PDF. It may cost money: see the tool estimate.',
      inputSchema: { document, engine, pages },
      annotations: { readOnlyHint: false, openWorldHint: true },
    },
    async (given, { signal }) => {
      const read = allowance === null ? unbounded(given, signal) : allowance.spend(paid(given, signal), signal);
      return resultOf(client, await read, signal);
    },
  );
  server.registerTool(
    'get_result',
    {
      description: 'The result of an earlier request, by its id.',
      inputSchema: { request_id },
      annotations: { readOnlyHint: true },
    },
    async (given, { signal }) => resultOf(client, await client.get(given.request_id, signal), signal),
  );
  server.registerTool(
    'get_pages',
    {
      description: 'The pages of an earlier request, each with its text and how it was read. Free.',
      inputSchema: {
        request_id,
        part: part.describe(`Which part of the pages, counted from 1; ${PER_PART} pages are a part.`),
        include: include.describe('What else of each page, as far as the request asked for it.'),
      },
      annotations: { readOnlyHint: true },
    },
    async ({ request_id: id, part: wished = 1, include: more }, { signal }) => {
      const wish = { part: wished, per_page: PER_PART, signal, ...(more && { include: more }) };
      const { data, status, page, total } = await client.listPages(id, wish);
      const facts = { request_id: id, status, part: page, parts: Math.ceil(total / PER_PART), pages: total };
      return { content: [...json(facts).content, content(data)] };
    },
  );
  server.registerTool(
    'estimate',
    {
      description: 'What reading a document would cost, in USD, and how many pages it has. Free.',
      inputSchema: { document, engine, pages },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    async (given, { signal }) => json(await estimateOf(client, await sourceOf(given), given, optionsOf(given, signal))),
  );
  server.registerTool(
    'list_engines',
    { description: 'The engines that can read documents, with their prices.', annotations: { readOnlyHint: true } },
    async ({ signal }) => json(await client.engines(signal)),
  );
  return server;
}
