import { defineConfig } from 'vite';

/** The page's half of `desktop:web`: a classic script, so that it has run before the renderer's modules do. */
export default defineConfig({
  build: {
    outDir: `${import.meta.dirname}/dist/renderer`,
    emptyOutDir: false,
    target: 'chrome140',
    lib: {
      entry: `${import.meta.dirname}/src/web/client.ts`,
      formats: ['iife'],
      name: 'consoleBridge',
      fileName: () => 'bridge.js',
    },
  },
});
