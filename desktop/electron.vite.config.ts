import { defineConfig } from 'electron-vite';

/** Main and preload, whole: the package has no `node_modules`. The renderer is built by `vite.config.ts`. */
export default defineConfig({
  main: {
    build: {
      outDir: 'dist/main',
      externalizeDeps: false,
      lib: { entry: 'src/main/main.ts', formats: ['es'] },
      rollupOptions: { external: ['bufferutil', 'utf-8-validate'], output: { entryFileNames: 'main.js' } },
    },
  },
  preload: {
    build: {
      outDir: 'dist/preload',
      externalizeDeps: false,
      // A sandboxed preload is CommonJS, in one file.
      lib: { entry: 'src/preload/preload.ts', formats: ['cjs'] },
      rollupOptions: { output: { entryFileNames: 'preload.cjs' } },
    },
  },
});
