import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { OcrRouter } from '@ocr-router/client';
import { mcpServer } from './mcp-server.ts';

const MOST_BODY = 1024 * 1024;

interface HttpOptions {
  /** The gateway. */
  readonly url: string;
  readonly version: string;
}

/** MCP over streamable HTTP, without sessions. Each call brings an API key of the gateway, which decides what it may. */
export function mcpHttp(options: HttpOptions): Server {
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    handle(req, res, options).catch((error: Error) => {
      if (!res.headersSent) refuse(res, 500, error.message);
    });
  };
  return createServer({ headersTimeout: 15_000, requestTimeout: 60_000, maxHeaderSize: 16_384 }, answer);
}

async function handle(req: IncomingMessage, res: ServerResponse, { url, version }: HttpOptions): Promise<void> {
  if (req.url?.split('?')[0] !== '/mcp') return refuse(res, 404, 'MCP is at /mcp.');
  if (req.method !== 'POST') return refuse(res, 405, 'There are no sessions here: POST is all.');
  // A page in a browser has an origin, and none may call with what a person is signed in to.
  if (req.headers.origin !== undefined) return refuse(res, 403, 'Calls from pages are not taken.');
  const apiKey = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (!apiKey) return refuse(res, 401, 'An API key of the gateway is needed: Authorization: Bearer sk-ocr-….');
  const body = await bodyOf(req);
  if (body === null) return refuse(res, 413, 'The body is too large.');
  const server = mcpServer({ client: new OcrRouter({ url, apiKey }), root: null, maxCostUsd: null, version });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  res.once('close', () => void Promise.allSettled([transport.close(), server.close()]));
  // `as`: the library's own class does not satisfy its own interface under exact optional types.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(req, res, body);
}

/** Null for a body that is too large; `undefined`, which the transport refuses, for one that is no JSON. */
async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BODY) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return {};
  }
}

function refuse(res: ServerResponse, status: number, message: string): void {
  const error = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(error));
}
