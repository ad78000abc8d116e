import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { onlyRead } from '../calls/only-read.ts';
import { explorerFolder, graphiql } from './graphiql.ts';
import { packed } from './packed.ts';
import { REFERENCE_START, REFERENCE_STYLE, referencePage } from './reference-page.ts';

/** The large files of the reference. */
const PACKED = [
  ['swagger-ui-bundle.js', 'text/javascript'],
  ['swagger-ui.css', 'text/css'],
] as const;

const NO_REFERENCE =
  'The API reference is not installed here (the package swagger-ui-dist). The contract is at /openapi.json.\n';

const NO_EXPLORER = 'The explorer is not installed here (the small package leaves it out). The API is at /graphql.\n';

/**
 * Serves the contract as JSON, the API reference and the explorer, all from this server. A folder that is null is not installed.
 */
export function makePages(
  contract: Record<string, unknown>,
  folders = { reference: referenceFolder(), explorer: explorerFolder() },
): RequestHandler {
  const json = Buffer.from(JSON.stringify(contract));
  const router = Router();
  router.get(
    '/openapi.json',
    packed('application/json', () => json),
  );
  router.use(
    '/docs',
    folders.reference === null ? missing(NO_REFERENCE) : reference(folders.reference, referencePage(contract)),
  );
  router.get('/graphiql', folders.explorer === null ? missing(NO_EXPLORER) : graphiql(folders.explorer));
  router.all(['/openapi.json', '/graphiql'], onlyRead);
  return router;
}

function missing(sentence: string): RequestHandler {
  return (_req, res) => void res.status(404).type('text/plain').send(sentence);
}

/** The files of the reference; null where the small package leaves them out. */
function referenceFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    return null;
  }
}

function reference(assets: string, page: string): RequestHandler {
  const router = Router();
  router.use(
    helmet({
      contentSecurityPolicy: { directives: { 'img-src': ["'self'", 'data:'], 'upgrade-insecure-requests': null } },
    }),
  );
  router.get('/', (_req, res) => void res.type('text/html').send(page));
  router.all('/', onlyRead);
  router.get('/start.js', (_req, res) => void res.type('text/javascript').send(REFERENCE_START));
  router.get('/reference.css', (_req, res) => void res.type('text/css').send(REFERENCE_STYLE));
  for (const [name, type] of PACKED) {
    router.get(
      `/${name}`,
      packed(type, () => readFile(join(assets, name))),
    );
  }
  router.use(express.static(assets, { index: false, maxAge: '1h' }));
  return router;
}
