import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cruise, type ICruiseResult } from 'dependency-cruiser';

const rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };

const imports = (from: string) => `import { name } from '${from}'; export const other = name;`;
const importsType = (from: string) => `import type { Name } from '${from}'; export type Other = Name;`;

/** A violation of each rule: the text of files by their path, the first of which is at fault. */
const PLANTED: Record<string, Record<string, string>> = {
  'no-cycles': { 'libs/board/src/domain/a.ts': imports('./b.ts'), 'libs/board/src/domain/b.ts': imports('./a.ts') },
  'kernel-imports-nothing': { 'libs/kernel/src/ports.ts': imports('../../board/src/index.ts') },
  'domain-is-pure': { 'libs/board/src/domain/tree.ts': imports('node:crypto') },
  'use-cases-know-only-ports': { 'libs/board/src/media.ts': importsType('../../adapters/postgres/src/index.ts') },
  'use-cases-use-node-types-only': { 'libs/board/src/read.ts': imports('node:fs') },
  'rooms-by-their-index': { 'apps/api/src/board.controller.ts': imports('../../../libs/board/src/domain/place.ts') },
  'adapters-stand-alone': { 'libs/adapters/storage/src/s3.ts': imports('../../postgres/src/index.ts') },
  'outside-by-one-client': { 'libs/adapters/providers/src/vendor.ts': imports('../../postgres/src/index.ts') },
  'sdks-in-their-folder': { 'libs/adapters/providers/src/remote/calls.ts': imports('replicate') },
  'vendors-stand-alone': { 'libs/adapters/providers/src/fal/fal.ts': imports('../openai/openai.ts') },
  'libraries-never-import-programs': { 'libs/embedded/src/boot.ts': imports('../../../apps/api/src/index.ts') },
  'no-frameworks-in-libraries': { 'libs/adapters/mail/src/mail.ts': imports('@nestjs/common') },
  'console-by-the-client': { 'apps/console/src/api/boards.ts': imports('../../../../libs/board/src/index.ts') },
  'console-without-node': { 'apps/console/src/api/read.ts': imports('node:fs') },
  'guest-page-is-small': { 'apps/console/src/guest/Name.ts': imports('../screens/home/Page.ts') },
  'drawing-is-for-both': { 'apps/console/src/drawing/Pen.ts': imports('../screens/home/Page.ts') },
  'screens-stand-alone': { 'apps/console/src/screens/boards/Page.ts': imports('../home/Page.ts') },
  'screens-on-top': { 'apps/console/src/ui/Thumb.ts': imports('../screens/home/Page.ts') },
  'nothing-knows-sharing': { 'libs/review/src/guests.ts': imports('../../sharing/src/index.ts') },
  'catalogue-knows-no-generation': {
    'libs/catalogue/src/domain/price.ts': imports('../../../generation/src/index.ts'),
  },
  'guests-by-their-own-controllers': { 'apps/api/src/board/shared.ts': imports('../sharing/guest-guard.ts') },
  'testing-is-for-tests': { 'apps/worker/src/job.ts': imports('../../../libs/board/src/testing/index.ts') },
  'client-stands-alone': { 'libs/client/src/x12.ts': imports('../../board/src/index.ts') },
  'service-does-without-client': { 'apps/worker/src/call.ts': imports('../../../libs/client/src/index.ts') },
  'tracing-on-demand': { 'apps/wiring/src/trace.ts': imports('../../../libs/adapters/tracing/src/index.ts') },
  'one-way-out': { 'apps/worker/src/jobs/fetch.ts': imports('undici') },
};
/** Imports of each other. */
const IMPORTED = [
  'apps/console/src/screens/home/Page.ts',
  'apps/api/src/index.ts',
  'apps/api/src/sharing/guest-guard.ts',
  'libs/adapters/postgres/src/index.ts',
  'libs/adapters/providers/src/openai/openai.ts',
  'libs/adapters/tracing/src/index.ts',
  'libs/board/src/domain/place.ts',
  'libs/board/src/index.ts',
  'libs/board/src/testing/index.ts',
  'libs/client/src/index.ts',
  'libs/generation/src/index.ts',
  'libs/sharing/src/index.ts',
];

describe('the boundaries', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'x12-boundaries-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** As `rule: file`. */
  async function violations(files: Record<string, string>): Promise<string[]> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const { output } = await cruise(['.'], {
      baseDir: folder,
      ruleSet: rules as never,
      validate: true,
      tsPreCompilationDeps: true,
    });
    return (output as ICruiseResult).summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  }

  it('catch a violation of every rule', async () => {
    expect(Object.keys(PLANTED).sort()).toEqual(rules.forbidden.map((rule) => rule.name).sort());
    const imported = IMPORTED.map((path) => [path, 'export type Name = 1; export const name = 1;']);
    const planted = Object.values(PLANTED).flatMap((files) => Object.entries(files));
    const found = await violations(Object.fromEntries([...imported, ...planted]));
    for (const [rule, files] of Object.entries(PLANTED)) expect(found).toContain(`${rule}: ${Object.keys(files)[0]}`);
  });

  it('let the shape of the house pass', async () => {
    const allowed = await violations({
      'libs/kernel/src/index.ts': 'export const name = 1;',
      'libs/files/src/index.ts': "export * from './domain/file.ts';",
      'libs/files/src/domain/file.ts': imports('../../../kernel/src/index.ts'),
      'libs/board/src/ports.ts': importsType('node:stream'),
      'libs/board/src/media.ts': `${imports('../../files/src/index.ts')} export type { Other } from './ports.ts';`,
      'libs/adapters/outgoing-http/src/index.ts': imports('undici'),
      'libs/adapters/providers/src/fal/fal.ts': `${imports('../remote/calls.ts')} export * from '@fal-ai/client';`,
      'libs/adapters/providers/src/remote/calls.ts': imports('../../../outgoing-http/src/index.ts'),
    });
    expect(allowed).toEqual([]);
  });
});
