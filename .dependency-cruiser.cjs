// Who may import whom (the reasoning is in docs/architecture.md). test/architecture plants a violation of each rule and sees it caught.
const SUBJECTS =
  'identity|persona|files|sources|catalogue|generation|batch|library|events|webhooks|credits|team|board|review|inbox|sharing|trash|erasure|audit|audit-log|mail|export|download|provenance|transformation';
const DOMAIN = `^libs/(${SUBJECTS})/src/domain/`;
const USE_CASES = `^libs/(${SUBJECTS})/src/(?!domain/|testing/)`;
const SUBJECT_INDEX = `^libs/(${SUBJECTS})/src/index\\.ts$`;
const TESTS = '(\\.test\\.ts$|/testing/|^test/)';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle means that two files are one thing, or that a word is missing between them.',
      severity: 'error',
      from: { pathNot: '^libs/client/src/generated/' },
      to: { circular: true, viaOnly: { pathNot: 'node_modules' } },
    },
    {
      name: 'kernel-imports-nothing',
      comment: 'The kernel is the vocabulary that everything shares.',
      severity: 'error',
      from: { path: '^libs/kernel/src/', pathNot: TESTS },
      to: { pathNot: '^libs/kernel/src/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'A domain knows its own domain, the kernel, and the domains of other subjects by their index.',
      severity: 'error',
      from: { path: DOMAIN, pathNot: TESTS },
      to: { pathNot: ['^libs/$1/src/domain/', '^libs/kernel/src/index\\.ts$', SUBJECT_INDEX] },
    },
    {
      name: 'use-cases-know-only-ports',
      comment: 'Use cases and ports know their own subject, the kernel, and other subjects by their index.',
      severity: 'error',
      from: { path: USE_CASES, pathNot: TESTS },
      to: {
        pathNot: ['^libs/$1/src/(?!testing/)', '^libs/kernel/src/index\\.ts$', SUBJECT_INDEX],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'use-cases-use-node-types-only',
      comment: 'Of Node, use cases and ports may name types (a stream, a buffer) and do nothing with the machine.',
      severity: 'error',
      from: { path: USE_CASES, pathNot: TESTS },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'rooms-by-their-index',
      comment: 'What is not in the index of a library is private to it.',
      severity: 'error',
      from: { path: '^(libs/adapters/[^/]+|libs/[^/]+|apps/[^/]+)/', pathNot: TESTS },
      to: {
        path: '^libs/(adapters/)?[^/]+/src/.+',
        pathNot: [
          '^libs/(adapters/)?[^/]+/src/index\\.ts$',
          '^libs/client/src/(query|webhooks|picture-url)\\.ts$',
          '^$1/',
        ],
      },
    },
    {
      name: 'client-stands-alone',
      comment: 'The client is published on its own: it knows the service by its OpenAPI document.',
      severity: 'error',
      from: { path: '^libs/client/', pathNot: TESTS },
      to: {
        pathNot: [
          '^libs/client/',
          '(^|node_modules/)standardwebhooks(/|$)',
          '(^|node_modules/)@tanstack/react-query(/|$)',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'service-does-without-client',
      comment: 'The console and programs elsewhere use the client; the service answers it.',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: [TESTS, '^libs/client/', '^apps/console/'] },
      to: { path: '^libs/client/' },
    },
    {
      name: 'adapters-stand-alone',
      comment:
        'Adapters do not import each other, except by name: the queue is built on PostgreSQL and Redis, and what calls the outside uses the one HTTP client and the one writer of zips.',
      severity: 'error',
      from: { path: '^libs/adapters/([^/]+)/', pathNot: [TESTS, '^libs/adapters/(queue|providers|webhooks|oidc)/'] },
      to: { path: '^libs/adapters/', pathNot: '^libs/adapters/$1/' },
    },
    {
      name: 'outside-by-one-client',
      severity: 'error',
      from: { path: '^libs/adapters/(providers|webhooks|oidc)/', pathNot: TESTS },
      to: { path: '^libs/adapters/', pathNot: ['^libs/adapters/$1/', '^libs/adapters/(outgoing-http|zip)/'] },
    },
    {
      name: 'sdks-in-their-folder',
      comment: "A vendor's SDK is imported in its own folder alone: taking the vendor out is deleting the folder.",
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: [TESTS, '^libs/adapters/providers/src/(replicate|fal|openai)/'] },
      to: { path: '(^|node_modules/)(replicate|@fal-ai/client|openai)(/|$)' },
    },
    {
      name: 'vendors-stand-alone',
      comment: 'The folder of a vendor knows what all vendors share, and no other vendor.',
      severity: 'error',
      from: { path: '^libs/adapters/providers/src/([^/]+)/', pathNot: TESTS },
      to: { path: '^libs/adapters/providers/src/', pathNot: '^libs/adapters/providers/src/($1|remote)/' },
    },
    {
      name: 'libraries-never-import-programs',
      severity: 'error',
      from: { path: '^libs/', pathNot: TESTS },
      to: { path: '^apps/' },
    },
    {
      name: 'no-frameworks-in-libraries',
      comment: 'Nest belongs to the programs on the server; the libraries are plain classes and functions.',
      severity: 'error',
      from: { path: '^(libs|apps/console)/' },
      to: { path: '(^|node_modules/)@nestjs/' },
    },
    {
      name: 'console-by-the-client',
      comment: 'The console runs in browsers: it knows the service by its client alone.',
      severity: 'error',
      from: { path: '^apps/console/src/', pathNot: TESTS },
      to: { path: '^(apps|libs|test|scripts)/', pathNot: ['^apps/console/src/', '^libs/client/'] },
    },
    {
      name: 'console-without-node',
      severity: 'error',
      from: { path: '^apps/console/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'guest-page-is-small',
      comment:
        'The page of guests is loaded on phones: of the console it has only rules, and nothing of its framework.',
      severity: 'error',
      from: { path: '^apps/console/src/guest/', pathNot: TESTS },
      to: {
        pathNot: [
          '^apps/console/src/guest/',
          '^apps/console/src/(text|refusal|file-url)\\.ts$',
          '^libs/client/src/picture-url\\.ts$',
          '^apps/console/src/drawing/',
          '^apps/console/src/ui/(formats|media/(download|held-pointers|zoom))\\.ts$',
          '^apps/console/src/screens/boards/review/(decisions|threads)\\.ts$',
          '(^|node_modules/)(preact|@fontsource-variable)(/|$)',
        ],
      },
    },
    {
      name: 'drawing-is-for-both',
      comment:
        "Drawings are in the page of guests, too: their parts have nothing of React but hooks, which the guest's build replaces.",
      severity: 'error',
      from: { path: '^apps/console/src/drawing/', pathNot: TESTS },
      to: { pathNot: ['^apps/console/src/drawing/', '(^|node_modules/)(@types/)?react(/|$)'] },
    },
    {
      name: 'screens-stand-alone',
      comment:
        'Code that screens share is in ui, shell, api, state, library, sharing, uploads, private-files, model-form or batch-form, and screens import it from their index.',
      severity: 'error',
      from: { path: '^apps/console/src/screens/([^/]+)/' },
      to: {
        path: '^apps/console/src/',
        pathNot: [
          '^apps/console/src/screens/$1/',
          '^apps/console/src/(ui|api|state|shell|library|sharing|uploads|private-files|model-form|batch-form)/index\\.ts$',
          '^apps/console/src/drawing/',
          '^apps/console/src/model-form/draft\\.ts$',
          '^apps/console/src/testing/',
          '^apps/console/src/(places|text|days|file-url|scope-words)\\.ts$',
        ],
      },
    },
    {
      name: 'screens-on-top',
      comment: 'Code that screens share knows no screen: its words are its own.',
      severity: 'error',
      from: {
        path: '^apps/console/src/(ui|api|state|shell|library|sharing|uploads|private-files|model-form|batch-form)/',
      },
      to: { path: '^apps/console/src/screens/' },
    },
    {
      name: 'nothing-knows-sharing',
      comment:
        'What is shared knows nothing of links: sharing is built on boards and their review, not the other way round.',
      severity: 'error',
      from: { path: `^libs/(${SUBJECTS})/`, pathNot: [TESTS, '^libs/sharing/'] },
      to: { path: '^libs/sharing/' },
    },
    {
      name: 'catalogue-knows-no-generation',
      comment: 'The catalogue says what can be generated; how one generation runs is built on it.',
      severity: 'error',
      from: { path: '^libs/catalogue/' },
      to: { path: '^libs/generation/' },
    },
    {
      name: 'guests-by-their-own-controllers',
      comment: 'The guard of guests is used by the controllers of guests alone.',
      severity: 'error',
      from: { path: '^apps/', pathNot: [TESTS, '^apps/api/src/sharing/', '^apps/api/src/api\\.module\\.ts$'] },
      to: { path: '^apps/api/src/sharing/(?!share\\.dto\\.ts$)' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { pathNot: TESTS },
      to: { path: '(/src/testing/|\\.test\\.ts$|^test/(support|contracts|e2e))' },
    },
    {
      name: 'tracing-on-demand',
      comment: 'OpenTelemetry is loaded only where traces are sent, by a dynamic import.',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: [TESTS, '^libs/adapters/tracing/'] },
      to: { path: ['^libs/adapters/tracing/', '(^|node_modules/)@opentelemetry/'], dynamic: false },
    },
    {
      name: 'one-way-out',
      comment:
        'Only outgoing-http speaks HTTP to the outside: it refuses private addresses and bounds what it reads. Own operations ' +
        'are called within the process.',
      severity: 'error',
      from: {
        path: '^(libs|apps)/',
        pathNot: [TESTS, '^libs/adapters/outgoing-http/', '^libs/embedded/', '^apps/api/src/http/own-operations.ts$'],
      },
      to: { path: '(^|node_modules/)(undici|axios|got|node-fetch|https?)(/|$)', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['x12-source', 'import', 'require', 'node', 'default', 'types'],
    },
  },
};
