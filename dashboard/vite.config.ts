import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstFrame } from './scripts/first-frame.mjs';

export default defineConfig({
  plugins: [react(), firstFrame()],
  build: {
    outDir: 'dist',
    manifest: 'manifest.json', // the server names the files of a page in it, before the application asks for them
    assetsDir: 'assets',
    // Browsers that know light-dark() by themselves: its replacement would lose the colours of the theme.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // What the Content-Security-Policy of the server allows: files of this origin, named by their content.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
