import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { OcrRouter } from '@ocr-router/client';
import { BodyRoom } from './body-room.ts';
import { mcpServer } from './mcp-server.ts';
import { UnreadAnswers } from './unread-answers.ts';

const MOST_BODY = 1024 * 1024;
/** Memory for the bodies of all calls under way, in bytes. */
const ROOM_BYTES = 32 * MOST_BODY;
/** Most messages in a batch. Batches belong to an earlier version of the protocol; small ones do no harm. */
const MOST_MESSAGES = 10;
/** Limits of time and size. A key is checked only after the body was read, so a caller has little time to send it. */
const SERVER_LIMITS = {
  headersTimeout: 15_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16_384,
};

interface HttpOptions {
  /** The gateway. */
  readonly url: string;
  readonly version: string;
  /** Milliseconds for which a client that does not read its answer is waited for; 20,000 unless given. */
  readonly patienceMs?: number;
}

interface Handling extends HttpOptions {
  readonly room: BodyRoom;
}

/**
 * Serves MCP over streamable HTTP, without sessions. Each call brings an API key of the gateway, which decides what the call may
 * do.
 */
export function mcpHttp(options: HttpOptions): Server {
  const handling = { ...options, room: new BodyRoom(ROOM_BYTES) };
  const unread = new UnreadAnswers(options.patienceMs ?? 20_000);
  const answer = (req: IncomingMessage, res: ServerResponse) => {
    unread.watch(res);
    handle(req, res, handling).catch((error: Error) => {
      if (!res.headersSent) refuse(res, 500, error.message);
    });
  };
  return createServer(SERVER_LIMITS, answer).once('close', () => unread[Symbol.dispose]());
}

async function handle(req: IncomingMessage, res: ServerResponse, { url, version, room }: Handling): Promise<void> {
  if (req.url?.split('?')[0] !== '/mcp') return refuse(res, 404, 'MCP is at /mcp.');
  if (req.method !== 'POST') return refuse(res, 405, 'There are no sessions here: POST is all.');
  // A browser's page sends an origin. None may call, because a person may be signed in there.
  if (req.headers.origin !== undefined) return refuse(res, 403, 'Calls from pages are not taken.');
  const apiKey = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (!apiKey) return refuse(res, 401, 'An API key of the gateway is needed: Authorization: Bearer sk-ocr-….');
  const bytes = Number(req.headers['content-length'] ?? MOST_BODY);
  if (bytes > MOST_BODY) return refuse(res, 413, 'The body is too large.');
  const give = room.take(req.socket.remoteAddress ?? '', bytes);
  if (!give) return refuse(res, 503, 'Too many large bodies are being received. Try again.', { 'Retry-After': '10' });
  res.once('close', give); // what was parsed of it lives as long as the call
  const body = await bodyOf(req);
  if (body === null) return refuse(res, 413, 'The body is too large.');
  if (Array.isArray(body) && body.length > MOST_MESSAGES)
    return refuse(res, 400, `A batch has ${MOST_MESSAGES} messages at most.`);
  const client = new OcrRouter({ url, apiKey, fetch: fetchFor(req) });
  const server = mcpServer({ client, root: null, maxCostUsd: null, version });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  res.once('close', () => void Promise.allSettled([transport.close(), server.close()]));
  // `as`: the library's own class does not satisfy its own interface under exact optional types.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(req, res, body);
}

/**
 * A `fetch` that passes the caller's address on: the gateway counts calls without a good key by address, and not this program's.
 */
function fetchFor({ headers, socket }: IncomingMessage): typeof fetch {
  const forwarded = [headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? []].flat().join(', ');
  return (input, init) => fetch(input, { ...init, headers: { ...init?.headers, 'X-Forwarded-For': forwarded } });
}

/** The parsed body; null where it is too large; `{}`, which the transport refuses, where it is no JSON, or JSON's null. */
async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BODY) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) ?? {};
  } catch {
    return {};
  }
}

function refuse(res: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  const error = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  res.writeHead(status, { ...headers, 'Content-Type': 'application/json' }).end(JSON.stringify(error));
}
