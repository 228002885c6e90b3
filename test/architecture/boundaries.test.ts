import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cruise, type ICruiseResult } from 'dependency-cruiser';

const rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as { forbidden: { name: string }[] };

/** A violation of each rule: files by path, the first of which is at fault. */
const PLANTED: Record<string, Record<string, string>> = {
  'no-cycles': {
    'libs/board/src/domain/a.ts': "import { b } from './b.ts'; export const a = () => b;",
    'libs/board/src/domain/b.ts': "import { a } from './a.ts'; export const b = () => a;",
  },
  'kernel-imports-nothing': {
    'libs/kernel/src/ports.ts': "import { board } from '../../board/src/index.ts'; export const clock = board;",
    'libs/board/src/index.ts': 'export const board = 1;',
  },
  'domain-is-pure': {
    'libs/board/src/domain/tree.ts': "import { randomUUID } from 'node:crypto'; export const id = randomUUID;",
  },
  'use-cases-know-only-ports': {
    'libs/board/src/media.ts': "import type { Row } from '../../adapters/postgres/src/index.ts'; export type M = Row;",
    'libs/adapters/postgres/src/index.ts': 'export type Row = 1;',
  },
  'use-cases-use-node-types-only': {
    'libs/board/src/read.ts': "import { readFile } from 'node:fs'; export const read = readFile;",
  },
  'rooms-by-their-index': {
    'apps/api/src/board/board.controller.ts':
      "import { place } from '../../../../libs/board/src/domain/place.ts'; export const p = place;",
    'libs/board/src/domain/place.ts': 'export const place = 1;',
  },
  'adapters-stand-alone': {
    'libs/adapters/storage/src/s3.ts': "import { sql } from '../../postgres/src/index.ts'; export const s = sql;",
    'libs/adapters/postgres/src/index.ts': 'export const sql = 1;',
  },
  'outside-by-one-client': {
    'libs/adapters/providers/src/vendor.ts': "import { sql } from '../../postgres/src/index.ts'; export const s = sql;",
    'libs/adapters/postgres/src/index.ts': 'export const sql = 1;',
  },
  'libraries-never-import-programs': {
    'libs/embedded/src/boot.ts': "import { api } from '../../../apps/api/src/index.ts'; export const boot = api;",
    'apps/api/src/index.ts': 'export const api = 1;',
  },
  'no-frameworks-in-libraries': {
    'libs/adapters/mail/src/mail.ts': "import { Injectable } from '@nestjs/common'; export const i = Injectable;",
  },
  'testing-is-for-tests': {
    'apps/worker/src/jobs/job.ts':
      "import { fake } from '../../../../libs/board/src/testing/index.ts'; export const f = fake;",
    'libs/board/src/testing/index.ts': 'export const fake = 1;',
  },
  'one-way-out': { 'apps/worker/src/jobs/fetch.ts': "import { request } from 'undici'; export const r = request;" },
};

describe('the boundaries', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'x12-boundaries-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

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
    return (output as ICruiseResult).summary.violations.map((violation) => violation.rule.name);
  }

  it('have a planted violation for every rule', () => {
    expect(Object.keys(PLANTED).sort()).toEqual(rules.forbidden.map((rule) => rule.name).sort());
  });

  it.each(Object.entries(PLANTED))('catch a violation of %s', async (rule, files) => {
    expect(await violations(files)).toContain(rule);
  });

  it('let the shape of the house pass', async () => {
    const allowed = await violations({
      'libs/kernel/src/index.ts': 'export const kernel = 1;',
      'libs/files/src/index.ts': "export * from './domain/file.ts';",
      'libs/files/src/domain/file.ts':
        "import { kernel } from '../../../kernel/src/index.ts'; export const file = kernel;",
      'libs/board/src/ports.ts': "import type { Readable } from 'node:stream'; export type M = Readable;",
      'libs/board/src/media.ts':
        "import { file } from '../../files/src/index.ts'; import type { M } from './ports.ts'; export type A = M; export const add = file;",
      'libs/adapters/outgoing-http/src/index.ts': "import { request } from 'undici'; export const send = request;",
      'libs/adapters/providers/src/vendor/vendor.ts':
        "import { send } from '../../../outgoing-http/src/index.ts'; export const submit = send;",
    });
    expect(allowed).toEqual([]);
  });
});
