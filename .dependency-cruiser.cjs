// Who may import whom (the reasoning is in docs/architecture.md). test/architecture plants a violation of each rule and sees it caught.
const SUBJECTS = 'identity|persona|files|sources|generation|credits|team|board|audit';
const subject = (layers) => `^libs/(${SUBJECTS})/src/(${layers})/`;
const SUBJECT_INDEX = `^libs/(${SUBJECTS})/src/index\\.ts$`;
const TESTS = '(\\.test\\.ts$|/testing/|^test/)';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle means that two files are one thing, or that a word is missing between them.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: 'node_modules' } },
    },
    {
      name: 'kernel-imports-nothing',
      comment: 'The kernel is the words all rooms share.',
      severity: 'error',
      from: { path: '^libs/kernel/src/', pathNot: TESTS },
      to: { pathNot: '^libs/kernel/src/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'A domain knows its own domain, the kernel, and the domains of other subjects by their index.',
      severity: 'error',
      from: { path: subject('domain'), pathNot: TESTS },
      to: {
        pathNot: ['^libs/$1/src/domain/', '^libs/kernel/src/index\\.ts$', SUBJECT_INDEX],
      },
    },
    {
      name: 'application-knows-only-ports',
      comment: 'Use cases and ports know their own room, the kernel, and other rooms by their index.',
      severity: 'error',
      from: { path: subject('application|ports'), pathNot: TESTS },
      to: {
        pathNot: ['^libs/$1/src/(domain|ports|application)/', '^libs/kernel/src/index\\.ts$', SUBJECT_INDEX],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'application-uses-node-types-only',
      comment:
        'Of Node, use cases and ports may name types (a stream, a buffer) and do nothing with the machine.',
      severity: 'error',
      from: { path: subject('application|ports'), pathNot: TESTS },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'rooms-by-their-index',
      comment: 'What is not in the index of a room is its own affair.',
      severity: 'error',
      from: { path: '^(libs/adapters/[^/]+|libs/[^/]+|apps/[^/]+)/', pathNot: TESTS },
      to: {
        path: '^libs/(adapters/)?[^/]+/src/.+',
        pathNot: ['^libs/(adapters/)?[^/]+/src/index\\.ts$', '^$1/'],
      },
    },
    {
      name: 'adapters-stand-alone',
      comment:
        'Adapters never import each other, unless one is built on the other by name: the queue on PostgreSQL and Redis.',
      severity: 'error',
      from: { path: '^libs/adapters/([^/]+)/', pathNot: [TESTS, '^libs/adapters/queue/'] },
      to: { path: '^libs/adapters/', pathNot: '^libs/adapters/$1/' },
    },
    {
      name: 'libraries-never-import-programs',
      severity: 'error',
      from: { path: '^libs/', pathNot: TESTS },
      to: { path: '^apps/' },
    },
    {
      name: 'no-frameworks-in-libraries',
      comment: 'Nest belongs to the programs; the libraries are plain classes and functions.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '(^|node_modules/)@nestjs/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { pathNot: TESTS },
      to: { path: '(/src/testing/|\\.test\\.ts$|^test/(support|contracts|e2e))' },
    },
    {
      name: 'one-way-out',
      comment: 'Only the fetch adapter talks HTTP to addresses that strangers choose.',
      severity: 'error',
      from: {
        path: '^(libs|apps)/',
        pathNot: [TESTS, '^libs/adapters/outgoing-http/', '^libs/embedded/'],
      },
      to: {
        path: '(^|node_modules/)(undici|axios|got|node-fetch|https?)(/|$)',
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
    },
  },
};
