import { join } from 'node:path';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { compressed } from './vite.compressed.ts';

/** The service that `npm run console` connects to. */
const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';
const PROXIED = ['/v2', '/boards', '/files', '/storage', '/admin', '/openapi.json'];

/** Parts of the home screen that the screens with grids have, too. */
const HOME =
  /\/icons\/(x|chevron-down|circle-check|triangle-exclamation-point)\.|\/src\/(api\/live-generations|ui\/(When|generation\/(FailureNotice|StateBadge|use-(cancel|under-way))|grid\/Tile(Media|Badge))|library\/(item|library-tile))\b/;
/** Parts that all screens with grids have. */
const TILES =
  /\/src\/(ui\/(grid\/(?!Tile(Media|Badge))|use-touch-and-hold)|sharing\/action)|\/icons\/(pencil|folder|plus|chevron-right|image-off)\./;
/** Parts that the sign-in has, too: merged with others of the screens with grids, it would load all of these. */
const FORMS = /\/(@mantine\/form|klona|fast-deep-equal)\/|\/PasswordInput\//;
const FIELDS = /\/(mutationObserver|useMutation|use-input-props|InputBase|TextInput)\.m?js|\/src\/api\/field-problem/;
/** Parts of the screens with grids that share most of their modules. */
const GRID = /\/src\/(library\/ItemGrid|screens\/generate\/(Composer|Results))/;
/** Names of grouped files list all screens that load them. */
const shortened = (name: string) => name.replace(/[~.].*/, '');

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  resolve: { conditions: ['x12-source', ...defaultClientConditions] },
  // The API replaces it in every response.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: join(import.meta.dirname, '..', '..', 'dist', 'console'),
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // Data URLs would escape the policy of the page.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      // Allows tree shaking of the index files, so that a screen loads only the modules that it uses.
      treeshake: {
        moduleSideEffects: (id) =>
          !/\/(api|ui|shell|library|sharing|uploads|private-files|model-form|batch-form)\/.*\.tsx?$|(words|texts|places)\.ts$/.test(
            id,
          ) || id.endsWith('Providers.tsx'),
      },
      // Few files, because each has half a kilobyte of headers: one for all pages, and some for the pages with grids.
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 4 },
            { name: 'home', test: HOME, priority: 2 },
            { name: 'tiles', test: TILES, priority: 2 },
            { name: 'forms', test: FORMS, priority: 2 },
            { name: 'fields', test: FIELDS, priority: 3 },
            { name: 'grid', test: GRID, entriesAware: true, entriesAwareMergeThreshold: 16_000, priority: 1 },
          ],
        },
        chunkFileNames: ({ name }) => `assets/${shortened(name)}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) => `assets/${shortened(name)}-[hash][extname]`,
      },
      // "use client" of Mantine's modules has no meaning here.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
  plugins: [stylesOfUsedComponents(), compressed(), modelViewerWithNonce(), compiledAhead()],
  server: {
    port: 5173,
    // Changes by cookie need the service's own origin.
    proxy: Object.fromEntries(
      PROXIED.map((path) => [path, { target: service, headers: { origin: new URL(service).origin } }]),
    ),
  },
});

/**
 * Loads the styles of Mantine's components with the chunks that use them. Vite's server bundles Mantine beforehand and
 * gets all of its styles.
 */
function stylesOfUsedComponents(): Plugin {
  let isServer = false;
  return {
    name: 'styles-of-used-components',
    configResolved: ({ command }) => void (isServer = command === 'serve'),
    transform: {
      filter: { id: [/\/console\/src\/main\.tsx$/, /@mantine\/\w+\/esm\/.*\.module\.mjs$/] },
      handler(code, id) {
        const sheets = isServer ? ['core', 'notifications', 'spotlight'].map((name) => `${name}/styles`) : sheetsOf(id);
        return code + sheets.map((sheet) => `\nimport '@mantine/${sheet}.layer.css';`).join('');
      },
    },
  };
}

/** The names of the classes of a component stand in `Component.module.mjs`. */
function sheetsOf(id: string): string[] {
  const [, library, component] = /@mantine\/(\w+)\/.*\/(\w+)\.module\.mjs$/.exec(id) ?? [];
  if (library === undefined) return [];
  return [library === 'core' ? `core/styles/${component}` : `${library}/styles`];
}

/** Adds the nonce that the Content-Security-Policy requires to the style element of <model-viewer>. */
function modelViewerWithNonce(): Plugin {
  return {
    name: 'model-viewer-with-nonce',
    transform: {
      filter: { id: /@google\/model-viewer\/lib\/template\.js/ },
      handler(code) {
        if (!code.includes('<style>'))
          throw new Error('<model-viewer> has no style element any more: drop this plugin');
        return code.replace('<style>', '<style nonce=${globalThis.__webpack_nonce__}>');
      },
    },
  };
}

/** Adds a compile hint: V8 compiles all functions of the entry during the download, off the main thread. */
function compiledAhead(): Plugin {
  return {
    name: 'compiled-ahead',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && chunk.isEntry) chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`;
        }
      },
    },
  };
}
