import { join } from 'node:path';
import { defaultClientConditions, defineConfig } from 'vite';
import { compressed } from './vite.compressed.ts';

/** The page that guests open at `/s/<token>`: built apart from the console, so that nothing of that is loaded with it. */
export default defineConfig({
  root: join(import.meta.dirname, 'src', 'guest'),
  base: '/s/',
  // Parts that the page has in common with the console are written for React. Of hooks and JSX, Preact has the same.
  resolve: {
    conditions: ['x12-source', ...defaultClientConditions],
    alias: [
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react$/, replacement: 'preact/hooks' },
    ],
  },
  publicDir: join(import.meta.dirname, 'public'),
  // The API replaces it in every response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: join(import.meta.dirname, '..', '..', 'dist', 'guest'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // Data URLs would escape the policy of the page.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  plugins: [compressed()],
});
