import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { graphiql } from './graphiql.ts';
import { packed } from './packed.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ocr-router: API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'list' });\n`;

/** The large files of the reference. */
const PACKED = [
  ['swagger-ui-bundle.js', 'text/javascript'],
  ['swagger-ui.css', 'text/css'],
] as const;

const NO_REFERENCE =
  'The API reference is not installed here (the package swagger-ui-dist). The contract is at /openapi.json.\n';

/** The contract as JSON, and the API reference over it: all from this server. */
export function makePages(contract: Record<string, unknown>, assets = referenceFolder()): RequestHandler {
  const json = Buffer.from(JSON.stringify(contract));
  const router = Router();
  router.get(
    '/openapi.json',
    packed('application/json', () => json),
  );
  if (assets === null) router.get('/docs', (_req, res) => void res.status(404).type('text/plain').send(NO_REFERENCE));
  else router.use('/docs', reference(assets));
  router.get('/graphiql', graphiql());
  return router;
}

/** The files of the reference; null where the small package leaves them out. */
function referenceFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    return null;
  }
}

function reference(assets: string): RequestHandler {
  const router = Router();
  router.use(
    helmet({
      contentSecurityPolicy: { directives: { 'img-src': ["'self'", 'data:'], 'upgrade-insecure-requests': null } },
    }),
  );
  router.get('/', (_req, res) => void res.type('text/html').send(PAGE));
  router.get('/start.js', (_req, res) => void res.type('text/javascript').send(START));
  for (const [name, type] of PACKED) {
    router.get(
      `/${name}`,
      packed(type, () => readFile(join(assets, name))),
    );
  }
  router.use(express.static(assets, { index: false, maxAge: '1h' }));
  return router;
}
