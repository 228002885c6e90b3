import { readFileSync } from 'node:fs';

const swc = JSON.parse(readFileSync(new URL('./.swcrc', import.meta.url), 'utf8'));
delete swc.$schema;
swc.jsc.rewriteRelativeImportExtensions = false;

/** What every project shares: ESM straight from TypeScript, the `source` condition of package.json imports. */
const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.data/'],
  setupFiles: ['<rootDir>/test/support/load-nest-first.js'],
};

export default {
  testTimeout: 30_000,
  projects: [
    {
      ...shared,
      displayName: 'domain',
      testMatch: ['<rootDir>/libs/*/src/domain/**/*.test.ts', '<rootDir>/libs/kernel/**/*.test.ts'],
      setupFiles: [],
    },
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{apps,libs}/**/*.test.ts', '<rootDir>/test/architecture/*.test.ts'],
      testPathIgnorePatterns: ['/libs/[a-z]+/src/domain/', '/libs/kernel/'],
      globalSetup: '<rootDir>/test/support/start-database.js',
      globalTeardown: '<rootDir>/test/support/stop-database.js',
    },
    {
      ...shared,
      displayName: 'contracts',
      testMatch: ['<rootDir>/test/contracts/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/start-database.js',
      globalTeardown: '<rootDir>/test/support/stop-database.js',
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/start-database.js',
      globalTeardown: '<rootDir>/test/support/stop-database.js',
    },
    {
      ...shared,
      displayName: 'containers',
      // The suites of PostgreSQL and the journeys again, on what people operate, and those of the other engines.
      testMatch: [
        '<rootDir>/test/containers/**/*.test.ts',
        '<rootDir>/test/contracts/**/*.test.ts',
        '<rootDir>/test/e2e/{boards,generation,media,persona,team}.test.ts',
      ],
      testPathIgnorePatterns: [
        '/contracts/(disk-object-storage|local-provider|picture|sharp-pictures|videos)',
      ],
      setupFiles: [...shared.setupFiles, '<rootDir>/test/support/use-engines.js'],
      globalSetup: '<rootDir>/test/support/start-engines.js',
      globalTeardown: '<rootDir>/test/support/stop-engines.js',
    },
    { ...shared, displayName: 'faults', testMatch: ['<rootDir>/test/faults/**/*.test.ts'] },
  ],
};
