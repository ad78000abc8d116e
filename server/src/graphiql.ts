import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

const FIRST_QUERY = `# Put your key into "Headers" below, then fetch the schema again (the button on the left).
{
  requests(first: 10) {
    nodes { id engine status createdAt cost }
    pageInfo { hasNextPage endCursor }
  }
}
`;

/** The explorer sends its headers with queries only: a socket gets them by this function, which JSON cannot carry. */
const CONNECTION_PARAMS = 'the headers of the editor';
const HEADERS_AS_PARAMS = `() => JSON.parse(localStorage.getItem('graphiql:headers') ?? '{}')`;

/** The explorer of the GraphQL API: one page with everything in it, so that nothing comes from elsewhere. */
export function graphiql(): RequestHandler {
  let page: Promise<Page> | null = null;
  return async (req, res) => {
    page ??= render(); // several megabytes: made when somebody asks for it
    const { gzipped, policy } = await page;
    const takesGzip = /\bgzip\b/.test(String(req.headers['accept-encoding'] ?? ''));
    if (takesGzip) res.setHeader('Content-Encoding', 'gzip');
    res.setHeader('Content-Security-Policy', policy);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.setHeader('Vary', 'Accept-Encoding');
    res.type('text/html').end(takesGzip ? gzipped : await unzip(gzipped));
  };
}

interface Page {
  readonly gzipped: Buffer;
  readonly policy: string;
}

async function render(): Promise<Page> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const options = {
    title: 'ocr-router: GraphQL',
    endpoint: '/graphql',
    subscriptionsProtocol: 'WS' as const,
    connectionParams: CONNECTION_PARAMS,
    defaultQuery: FIRST_QUERY,
    headers: '{"Authorization": "Bearer sk-ocr-YOUR-KEY"}',
  };
  const html = renderGraphiQL(options).replace(`"${CONNECTION_PARAMS}"`, () => HEADERS_AS_PARAMS);
  return { gzipped: await zip(html), policy: policyOf(html) };
}

/** Only the page's own script runs, and it speaks with this server only. */
function policyOf(html: string): string {
  const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
  const hash = createHash('sha256').update(script).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}' blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self' ws: wss:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
