import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      'node_modules',
      '.data',
      '.data-backups',
      'coverage',
      'libs/client/src/generated',
      'apps/console/src/screens/operator/generated',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', package: '@jest/globals', name: ['test', 'it', 'describe'] }] },
      ],
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      'no-console': 'error',
      eqeqeq: ['error', 'smart'],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: [
      'libs/adapters/outgoing-http/**',
      'libs/client/**',
      'apps/wiring/src/doctor/**',
      'libs/embedded/**',
      '**/*.test.ts',
      '**/testing/**',
      'test/**',
      'scripts/**',
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'Call the outside through libs/adapters/outgoing-http.' },
      ],
    },
  },
  {
    files: ['apps/console/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { ...reactHooks.configs.recommended.rules, 'no-restricted-globals': 'off' },
  },
  {
    // These rules are for React's compiler, which takes refs of Preact for values that must not change.
    files: ['apps/console/src/guest/**/*.{ts,tsx}'],
    rules: { 'react-hooks/immutability': 'off', 'react-hooks/purity': 'off' },
  },
  {
    // Decorated classes are values to the compiler's metadata, and type imports would hide them from it.
    files: ['apps/**/*.ts'],
    ignores: ['apps/console/**'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['apps/api/src/**/*.ts'],
    ignores: ['apps/api/src/http/idempotency/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: '@nestjs/common',
          importNames: ['Post'],
          message: 'Import it from apps/api/src/http, where it applies the Idempotency-Key.',
        },
      ],
    },
  },
  { files: ['**/*.{js,cjs,mjs}'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  { files: ['scripts/**', 'test/bench/**'], rules: { 'no-console': 'off' } },
);
