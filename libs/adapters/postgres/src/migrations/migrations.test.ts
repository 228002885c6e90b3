import { describe, expect, it } from '@jest/globals';
import type { Migration } from '@mikro-orm/migrations';
import { RELEASE } from '#process';
import { BASELINE, migrations } from './index.ts';
import { GroupedMigration, IndexMigration, OnlineMigration } from './online-migration.ts';

/** A statement that a rule looks at. */
interface Change {
  readonly migration: Migration;
  readonly statements: readonly string[];
  /** Reports whether the table is there before the migration, and may be large. */
  isExisting(table: string): boolean;
}

const has = (change: Change, pattern: RegExp) => change.statements.some((statement) => pattern.test(statement));
const tables = (change: Change, pattern: RegExp) =>
  change.statements.flatMap((statement) => [...statement.matchAll(pattern)].map(([, table]) => table!));
const touches = (change: Change, pattern: RegExp) => tables(change, pattern).some((table) => change.isExisting(table));

/** Each keeps a migration from stopping the service, or what still runs of the version before. */
const RULES: Readonly<Record<string, (change: Change) => boolean>> = {
  'a transaction waits for a lock for 2 s at most': (change) =>
    change.migration.isTransactional() && change.statements[0] !== "set local lock_timeout = '2s'",
  'what is no transaction only builds indexes, or changes rows in batches': (change) =>
    !(change.migration.isTransactional() || change.migration instanceof GroupedMigration) &&
    has(change, /^\s*(?!(create|drop) (unique )?index concurrently\b)/i),
  'an index of an existing table is built concurrently': (change) =>
    touches(change, /create (?:unique )?index (?!concurrently)\w+ on (\w+)/gi),
  'a constraint of an existing table is not valid until a statement of its own validates it': (change) =>
    touches(change, /alter table (\w+)(?=[^;]*\badd\b[^;]*\b(?:check|references)\b)(?![^;]*\bnot valid\b)/gi),
  'a unique constraint of an existing table uses an index that is there': (change) =>
    touches(change, /alter table (\w+)(?=[^;]*\badd\b[^;]*\b(?:unique|primary key)\b)(?![^;]*\busing index\b)/gi),
  'no row of an existing table is written anew': (change) =>
    touches(
      change,
      /alter table (\w+)(?=[^;]*(?:\bset not null\b|\btype\b|\b(?:random|gen_random_uuid|clock_timestamp|nextval)\(|\bgenerated\b))/gi,
    ),
  'rows of an existing table are changed only where few are': (change) =>
    touches(change, /(?:^\s*|\bas \(\s*)(?:update|delete from) (\w+)/gi) &&
    !(change.migration instanceof OnlineMigration && change.migration.changesFewRows),
  'what is dropped or renamed was used by no process of the version before': (change) =>
    touches(change, /(?:alter table (\w+)(?=[^;]*\b(?:drop column|rename)\b)|drop table (\w+))/gi) &&
    !(change.migration instanceof OnlineMigration && isBefore(change.migration.unusedSince, RELEASE.version)),
};

function isBefore(version: string | null, other: string): boolean {
  if (version === null) return false;
  const parts = (of: string) => of.split('.').map(Number);
  const [a, b] = [parts(version), parts(other)];
  const index = a.findIndex((part, at) => part !== b[at]);
  return index >= 0 && a[index]! < b[index]!;
}

type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => Migration;

/** The rules that a migration breaks. */
async function brokenBy(type: MigrationClass): Promise<string[]> {
  const migration = new type(undefined as never, undefined as never);
  await migration.up();
  const statements = migration.getQueries().map(String);
  const made = new Set(
    statements.flatMap((each) => [...each.matchAll(/create table (\w+)/gi)].map(([, name]) => name)),
  );
  const change: Change = { migration, statements, isExisting: (table) => !made.has(table) };
  return Object.keys(RULES).filter((rule) => RULES[rule]!(change));
}

const online = (...statements: string[]) =>
  class extends OnlineMigration {
    override readonly statements = statements;
  };
const indexes = (...on: string[]) =>
  class extends IndexMigration {
    override readonly indexes = on.map((each, index) => ({ name: `index_${index}`, on: each }));
  };

describe('migrations', () => {
  // A new database has nobody who waits for it.
  const ruled = migrations.filter(({ name }) => name !== BASELINE);

  it.each([...ruled, { name: 'none so far', class: online() }])('$name keeps the rules', async ({ class: type }) => {
    expect(await brokenBy(type)).toEqual([]);
  });

  it.each<[what: string, statements: string[]]>([
    ['a column', ['alter table files add column checked_at timestamptz']],
    ['a column with a constant', ["alter table files add column state text not null default 'kept'"]],
    [
      'a new table with all that belongs to it',
      [
        'create table notes (id bigint primary key, file_id bigint not null references files, text text unique)',
        'create index notes_file on notes (file_id)',
        'alter table notes add check (length(text) < 10)',
      ],
    ],
    [
      'a constraint that is validated later',
      [
        'alter table files add constraint files_size check (size >= 0) not valid',
        'alter table files validate constraint files_size',
      ],
    ],
  ])('may add %s', async (_what, statements) => {
    expect(await brokenBy(online(...statements))).toEqual([]);
  });

  it('may add indexes of existing tables', async () => {
    expect(await brokenBy(indexes('files (size)', 'media (url) where url is not null'))).toEqual([]);
  });

  const [lock, alone, concurrently, constraint, unique, rewrite, few, dropped] = Object.keys(RULES);
  it.each<[rule: string, MigrationClass]>([
    [concurrently!, online('create index files_size on files (size)')],
    [concurrently!, online('create unique index files_size on files (size)')],
    [constraint!, online('alter table files add constraint files_size check (size >= 0)')],
    [constraint!, online('alter table files add column media_id bigint references media')],
    [unique!, online('alter table files add constraint files_url unique (url)')],
    [rewrite!, online('alter table files alter column size set not null')],
    [rewrite!, online('alter table files alter column size type numeric')],
    [rewrite!, online('alter table files add column secret uuid default gen_random_uuid()')],
    [few!, online('update files set size = 0')],
    [few!, online('with gone as (delete from files returning id) select 1')],
    [dropped!, online('alter table files drop column size')],
    [dropped!, online('alter table files rename column size to bytes')],
    [
      lock!,
      class extends online('select 1') {
        override up(): void {
          this.addSql('select 1');
        }
      },
    ],
    [
      alone!,
      class extends online('select 1') {
        override isTransactional(): boolean {
          return false;
        }
      },
    ],
  ])('break the rule "%s"', async (rule, type) => {
    expect(await brokenBy(type)).toEqual([rule]);
  });

  it('drop what the version before no longer uses', async () => {
    const drop = online('alter table files drop column size');
    const since = (version: string) =>
      class extends drop {
        override readonly unusedSince = version;
      };
    expect(await brokenBy(since('0.0.9'))).toEqual([]);
    expect(await brokenBy(since(RELEASE.version))).toHaveLength(1);
  });
});
