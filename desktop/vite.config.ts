import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bundleBudget } from './scripts/bundle-budget.ts';

/** The renderer alone: what Electron shows and what `desktop:web` serves. */
export default defineConfig({
  root: `${import.meta.dirname}/src/renderer`,
  base: './',
  plugins: [react(), bundleBudget({ maxGzippedBytes: 400_000 })],
  build: {
    outDir: `${import.meta.dirname}/dist/renderer`,
    emptyOutDir: true,
    target: 'chrome140',
    // A policy without `unsafe-inline` and data: has no place for inlined assets and polyfills.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
