import { once } from 'node:events';
import { createRequire } from 'node:module';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { OcrRouter } from '@ocr-router/client';
import { Command, Option } from 'commander';
import { amount, whole } from '../option-values.ts';
import { mcpHttp } from './mcp-http.ts';
import { mcpServer } from './mcp-server.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

interface Options {
  readonly url: string;
  readonly key?: string;
  readonly root: string;
  readonly maxCost?: number;
  readonly port?: number;
  readonly host: string;
}

export function mcpCommand(): Command {
  return new Command('mcp')
    .description('the gateway as tools of an agent (Model Context Protocol), over stdio or HTTP')
    .addOption(new Option('--url <url>', 'the gateway').env('OCR_ROUTER_URL').default('http://127.0.0.1:8080'))
    .addOption(new Option('--key <key>', 'an API key; over HTTP each call brings its own').env('OCR_ROUTER_API_KEY'))
    .option('--root <folder>', 'files are read below it, over stdio', '.')
    .option('--max-cost <usd>', 'USD that a session over stdio may cost', amount)
    .option('--port <port>', 'answers over HTTP, at /mcp of this port', whole(1, 65_535))
    .option('--host <host>', 'address to listen on', '127.0.0.1')
    .action((options: Options) => (options.port === undefined ? overStdio(options) : overHttp(options)));
}

async function overStdio({ url, key, root, maxCost }: Options): Promise<void> {
  const client = new OcrRouter({ url, ...(key && { apiKey: key }) });
  const server = mcpServer({ client, root, maxCostUsd: maxCost ?? null, version });
  // The transport closes by itself for a message that is too large, and stops reading.
  const closed = new Promise<'closed'>((resolve) => {
    server.server.onclose = () => resolve('closed');
  });
  await server.connect(new StdioServerTransport());
  const ended = once(process.stdin, 'end').catch(() => undefined);
  if ((await Promise.race([closed, ended])) === 'closed')
    throw new Error('a message of more than 10 MB ends the session.');
  await server.close();
}

async function overHttp({ url, host, port: at }: Options): Promise<void> {
  const server = mcpHttp({ url, version }).listen(at, host);
  await once(server, 'listening');
  process.stderr.write(`MCP is at http://${host.includes(':') ? `[${host}]` : host}:${at}/mcp\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  server.closeAllConnections();
  await once(server.close(), 'close');
}
