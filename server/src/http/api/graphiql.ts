import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler } from 'express';

const zip = promisify(gzip);
const brotli = promisify(brotliCompress);
/** Well packed in a second; the best takes a minute for some percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

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
export function graphiql(): RequestHandler {
  let page: Promise<Page> | null = null;
  return async (req, res) => {
    page ??= render(); // several megabytes: made when somebody asks for it
    const { forms, policy } = await page;
    const form = forms.find(({ encoding }) => encoding !== null && takes(req, encoding)) ?? forms.at(-1);
    if (form?.encoding) res.setHeader('Content-Encoding', form.encoding);
    res.setHeader('Content-Security-Policy', policy.replace(OWN_SOCKETS, ownSockets(req)));
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', `${req.headers.authorization ? 'private' : 'public'}, max-age=3600`);
    res.setHeader('Vary', 'Accept-Encoding');
    res.type('text/html').send(form?.body);
  };
}

interface Form {
  /** Null for the page as it is. */
  readonly encoding: 'br' | 'gzip' | null;
  readonly body: Buffer;
}

interface Page {
  /** The smallest first; each is made once and sent to everybody, so that no caller costs memory or time. */
  readonly forms: readonly Form[];
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
  const plain = Buffer.from(html);
  const [packed, gzipped] = await Promise.all([brotli(plain, BROTLI), zip(plain)]);
  const forms: Form[] = [
    { encoding: 'br', body: packed },
    { encoding: 'gzip', body: gzipped },
    { encoding: null, body: plain },
  ];
  return { forms, policy: policyOf(html) };
}

/** Whether a form is among those that the caller names, and not as one that it does not want. */
function takes(req: Request, encoding: string): boolean {
  const named = String(req.headers['accept-encoding'] ?? '').split(',');
  return named.some((each) => {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
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
