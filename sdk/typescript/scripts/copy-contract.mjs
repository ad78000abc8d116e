// The contract's types beside the client's own, so that the package stands alone.
import { copyFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

copyFileSync(fileURLToPath(new URL('../../../openapi/types.d.ts', import.meta.url)), 'dist/contract.d.ts');
writeFileSync('dist/openapi.d.ts', "export type { components } from './contract.js';\n");
