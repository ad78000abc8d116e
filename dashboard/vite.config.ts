import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  // What the Content-Security-Policy of the server allows: files of this origin, named by their content.
  build: { outDir: 'dist', assetsDir: 'assets', assetsInlineLimit: 0, target: 'es2023', reportCompressedSize: false },
});
