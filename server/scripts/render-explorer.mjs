// Makes the explorer of the GraphQL API: one page with everything in it, so that nothing comes from elsewhere, in the forms
// in which browsers take it. It is several megabytes, which no service should make, pack or keep while it serves others.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

const OUT = join(import.meta.dirname, '../dist/http/api/explorer');

const FIRST_QUERY = `# Put your key into "Headers" below, then fetch the schema again (the button on the left).
{
  requests(first: 10) {
    nodes { id engine status createdAt cost }
    pageInfo { hasNextPage endCursor }
  }
}
`;

// The explorer sends its headers with queries only: a socket gets them by this function, which JSON cannot carry.
const CONNECTION_PARAMS = 'the headers of the editor';
const HEADERS_AS_PARAMS = `() => JSON.parse(localStorage.getItem('graphiql:headers') ?? '{}')`;

// A key that was typed ends with its tab: what the explorer remembers, it remembers in the session's storage.
const FORGETFUL = `
  for (const name of Object.keys(localStorage)) if (name.startsWith('graphiql:')) localStorage.removeItem(name);
  Object.defineProperty(window, 'localStorage', { value: window.sessionStorage });
`;

const html = renderGraphiQL({
  title: 'ocr-router: GraphQL',
  endpoint: '/graphql',
  subscriptionsProtocol: 'WS',
  connectionParams: CONNECTION_PARAMS,
  defaultQuery: FIRST_QUERY,
  headers: '{"Authorization": "Bearer sk-ocr-YOUR-KEY"}',
})
  .replace(`"${CONNECTION_PARAMS}"`, () => HEADERS_AS_PARAMS)
  .replace('<script>', (tag) => `${tag}${FORGETFUL}`);
const script = html.slice(html.indexOf('<script>') + '<script>'.length, html.lastIndexOf('</script>'));
const hashOf = (text, encoding) => createHash('sha256').update(text).digest(encoding);

mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'page.html'), html);
writeFileSync(join(OUT, 'page.html.gz'), gzipSync(html, { level: 9 }));
const quality = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: html.length };
writeFileSync(join(OUT, 'page.html.br'), brotliCompressSync(html, { params: quality }));
const facts = { etag: `W/"${hashOf(html, 'base64url').slice(0, 22)}"`, scriptHash: hashOf(script, 'base64') };
writeFileSync(join(OUT, 'page.json'), JSON.stringify(facts));
