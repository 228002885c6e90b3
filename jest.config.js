import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const swc = JSON.parse(readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'));
delete swc.$schema;
swc.jsc.rewriteRelativeImportExtensions = false;

/** Shared by all projects: ESM straight from TypeScript, the `x12-source` condition of package.json imports. */
const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  runtime: '<rootDir>/test/support/runtime/runtime.js',
  testEnvironment: '<rootDir>/test/support/runtime/environment.js',
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
};

const onDatabase = {
  globalSetup: '<rootDir>/test/support/start-database.js',
  globalTeardown: '<rootDir>/test/support/stop-database.js',
};

export default {
  testTimeout: 300_000,
  // Tests wait for a third of their time. No more than the connections of the test database suffice for.
  maxWorkers: Math.min(Math.ceil(1.5 * availableParallelism()), 8),
  // Modules of test files are never released: a worker that has grown is replaced by a new one.
  workerIdleMemoryLimit: '1GB',
  // Freeing that memory takes longer than the default of 0.5 s; a worker that needs more than this has leaked a handle.
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/test/support/slowest-first.js',
  reporters: ['<rootDir>/test/support/progress-reporter.js'],
  projects: [
    {
      ...shared,
      displayName: 'domain',
      testMatch: [
        '<rootDir>/libs/*/src/domain/**/*.test.ts',
        '<rootDir>/libs/{kernel,client}/**/*.test.ts',
        '<rootDir>/apps/console/**/*.test.ts',
      ],
    },
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs}/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '/libs/[a-z]+/src/domain/',
        '/libs/(kernel|client)/',
        '/apps/console/',
      ],
      ...onDatabase,
    },
    { ...shared, displayName: 'architecture', testMatch: ['<rootDir>/test/architecture/*.test.ts'] },
    { ...shared, displayName: 'contracts', testMatch: ['<rootDir>/test/contracts/**/*.test.ts'], ...onDatabase },
    { ...shared, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.ts'], ...onDatabase },
    { ...shared, displayName: 'console', testMatch: ['<rootDir>/test/console/**/*.test.ts'], ...onDatabase },
    {
      ...shared,
      displayName: 'containers',
      // The suites of engines that are not embedded, and one journey with all of them: the embedded PostgreSQL is newer
      // than that of docker-compose.yml.
      testMatch: ['<rootDir>/test/containers/**/*.test.ts', '<rootDir>/test/e2e/generation.test.ts'],
      setupFiles: ['<rootDir>/test/support/use-engines.js'],
      globalSetup: '<rootDir>/test/support/start-engines.js',
      globalTeardown: '<rootDir>/test/support/stop-engines.js',
    },
    { ...shared, displayName: 'faults', testMatch: ['<rootDir>/test/faults/**/*.test.ts'] },
  ],
};
