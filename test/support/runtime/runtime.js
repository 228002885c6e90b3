import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';

const require = createRequire(import.meta.url);
const Runtime = JestRuntime.default ?? JestRuntime;
const GLOBALS = 'jest-globals:';
/** Modules that each test file loads anew: itself, and what tests share. */
const FRESH = /^(?!.*\/node_modules\/).*(\/test\/.*\.(ts|js)|\/testing\/.*\.ts|\.test\.ts)$/;

/** The runtime of the file that runs, and its number in this worker. */
let current;
let count = 0;
/** Files of source maps by the URL of a module. */
const sourceMaps = new Map();

/**
 * Jest's runtime without module registries of its own: Node loads all modules, so a worker loads the product and its
 * packages once for all of its test files. Only tests and what they share are loaded for each file.
 */
export default class WorkerRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, ...rest) {
    super(config, environment, resolver, transformer, ...rest);
    this.transformer = transformer;
    this.isIsolated = environment.isIsolated;
    this.number = ++count;
    current = this;
  }

  /** Jest's own circus, whose state belongs to one file. */
  requireInternalModule(from) {
    for (const path of Object.keys(require.cache)) if (path.includes('/jest-circus/build/')) delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(from);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  /** The process belongs to the worker. */
  installGetBuiltinModule() {}

  /** What `@jest/globals` exports in the file. */
  get exportsOfGlobals() {
    return this.jestGlobals.cjsGlobals(this._testPath);
  }
}

globalThis[Symbol.for('x12.jest-globals')] = () => current.exportsOfGlobals;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: GLOBALS + current.number, format: 'module', shortCircuit: true };
    const resolved = next(specifier, context);
    if (!current || !context.conditions.includes('import')) return resolved;
    const isFresh = current.isIsolated ? resolved.url.startsWith('file:') : FRESH.test(resolved.url);
    return isFresh ? { ...resolved, url: `${resolved.url}?file=${current.number}` } : resolved;
  },
  load(url, context, next) {
    if (url.startsWith(GLOBALS)) {
      const names = Object.keys(current.exportsOfGlobals).join(', ');
      const source = `export const { ${names} } = globalThis[Symbol.for('x12.jest-globals')]();`;
      return { format: 'module', source, shortCircuit: true };
    }
    if (!/^file:[^?]*\.ts(\?|$)/.test(url)) return next(url, context);
    const { code, sourceMapPath } = current.transformer.transform(fileURLToPath(url), {
      collectCoverage: false,
      isInternalModule: false,
      supportsDynamicImport: true,
      supportsExportNamespaceFrom: true,
      supportsStaticESM: true,
      supportsTopLevelAwait: true,
    });
    if (sourceMapPath) sourceMaps.set(url, sourceMapPath);
    return { format: 'module', source: code, shortCircuit: true };
  },
});
