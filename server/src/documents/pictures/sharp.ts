import { createRequire } from 'node:module';
import type library from 'sharp';
import type { Sharp, SharpInput, SharpOptions } from 'sharp';

const require = createRequire(import.meta.url);
let loaded: typeof library | undefined;

/** Calls sharp, which is loaded with the first picture: the service starts without it. */
export function sharp(input: SharpInput | SharpOptions, options?: SharpOptions): Sharp {
  loaded ??= load();
  return loaded(input as SharpInput, options); // options alone stand first, as in the library's other signature
}

function load(): typeof library {
  const module = require('sharp') as typeof library; // that package's own types
  // Nothing is cached, because every document is another one.
  module.cache(false);
  return module;
}
