// Beside every file of the build its Brotli form: the server hands it to browsers that take it, and packs nothing itself.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const FOLDER = 'dist/assets';

for (const name of readdirSync(FOLDER).filter((each) => /\.(js|css)$/.test(each))) {
  const packed = brotliCompressSync(readFileSync(join(FOLDER, name)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 10 },
  });
  writeFileSync(join(FOLDER, `${name}.br`), packed);
}
