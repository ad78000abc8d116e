import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { packed } from './packed.ts';

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

/** A key that was typed ends with its tab: what the explorer remembers, it remembers in the session's storage. */
const FORGETFUL = `
  for (const name of Object.keys(localStorage)) if (name.startsWith('graphiql:')) localStorage.removeItem(name);
  Object.defineProperty(window, 'localStorage', { value: window.sessionStorage });
`;

/** The explorer of the GraphQL API: one page with everything in it, so that nothing comes from elsewhere. */
export function graphiql(): RequestHandler[] {
  let page: Promise<Page> | null = null;
  const rendered = (): Promise<Page> => {
    // Several megabytes: made when it is first asked for, and again by the next one where that failed.
    page ??= render().catch((error: Error) => {
      page = null;
      throw error;
    });
    return page;
  };
  const guard: RequestHandler = async (req, res, next) => {
    const { policy } = await rendered();
    res.setHeader('Content-Security-Policy', policy.replace(OWN_SOCKETS, ownSockets(req)));
    res.setHeader('X-Content-Type-Options', 'nosniff');
    next();
  };
  return [guard, packed('text/html', async () => (await rendered()).html, ['br', 'gzip'])];
}

interface Page {
  readonly html: Buffer;
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
  const html = renderGraphiQL(options)
    .replace(`"${CONNECTION_PARAMS}"`, () => HEADERS_AS_PARAMS)
    .replace('<script>', (tag) => `${tag}${FORGETFUL}`);
  return { html: Buffer.from(html), policy: policyOf(html) };
}

const OWN_SOCKETS = '<own sockets>';

/** Browsers differ in whether 'self' means the sockets of the same address. */
function ownSockets({ headers: { host } }: Request): string {
  return host !== undefined && /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i.test(host)
    ? `ws://${host} wss://${host}`
    : '';
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
    `connect-src 'self' ${OWN_SOCKETS}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
