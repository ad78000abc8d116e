import module from 'node:module';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../bundle/compiled/', import.meta.url));

/**
 * Compiled code is kept beside the bundle from one start to the next, for whoever may write there: a start takes a quarter
 * less time. Without the right to write, code is compiled at each start.
 */
export function keepCompiledCode(): void {
  module.enableCompileCache(FOLDER);
}
