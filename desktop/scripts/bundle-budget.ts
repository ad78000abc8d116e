import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Prints what all JavaScript of the bundle weighs gzipped, and fails the build above the limit. */
export function bundleBudget({ maxGzippedBytes }: { readonly maxGzippedBytes: number }): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const bytes = Object.values(bundle)
        .filter((file) => file.type === 'chunk')
        .reduce((sum, { code }) => sum + gzipSync(code).length, 0);
      const words = `JavaScript: ${(bytes / 1000).toFixed(1)} kB gzipped of ${maxGzippedBytes / 1000} kB`;
      if (bytes > maxGzippedBytes) this.error(words);
      console.log(words);
    },
  };
}
