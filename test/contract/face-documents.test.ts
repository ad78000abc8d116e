import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a build script without types
import { documentsText } from '../../ui/scripts/generate-documents.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const FACES = ['desktop', 'dashboard'].filter((face) => existsSync(join(ROOT, face, 'src')));

it.each(FACES)('has %s/src/documents.generated.ts as its documents give it (npm run generate)', async (face) => {
  const written = readFileSync(join(ROOT, face, 'src/documents.generated.ts'), 'utf8');
  expect(written).toBe(await documentsText(face));
});
