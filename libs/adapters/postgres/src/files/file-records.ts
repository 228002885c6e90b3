import { sql } from 'kysely';
import { quotaExceeded, type FileRecords, type NewFile, type StorageQuotas, type StoredFile } from '#files';
import { DomainError, pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { anyOf, brief, build, pageValues, prepared, type PageValues } from '../prepared.ts';
import { insertFrom } from '../shapes.ts';
import { FILE, isFile, isOutput, isShown, NEW_FILE } from './file-rows.ts';
import { spaceFor } from './storage-space.ts';

export class PostgresFileRecords implements FileRecords {
  readonly #quotas: string;

  /** @param quotas by plan; none by default */
  constructor(
    private readonly database: Database,
    quotas: StorageQuotas = {},
  ) {
    this.#quotas = JSON.stringify(quotas);
  }

  async reserve(key: string, now: Date): Promise<void> {
    await this.database.runApart(RESERVE, { key, now });
  }

  async add(file: NewFile): Promise<StoredFile> {
    const added = await this.database.one(ADD, { ...file, quotas: this.#quotas });
    if (added) return added;
    // Only what does not fit leaves the reservation as it was.
    if (await this.database.any(FIND_RESERVED, { key: file.key })) throw quotaExceeded();
    throw new DomainError('conflict', 'storing the file took too long; try again');
  }

  lockByKey(workspaceId: number, key: string): Promise<StoredFile | null> {
    return this.database.one(LOCK, { workspaceId, key });
  }

  async lockKeys(keys: readonly string[]): Promise<readonly string[]> {
    return (await this.database.run(LOCK_KEYS, { keys })).map(({ key }) => key);
  }

  find(id: number): Promise<StoredFile | null> {
    return this.database.one(FIND, { id });
  }

  isPublic(key: string): Promise<boolean> {
    return this.database.any(FIND_PUBLIC, { key });
  }

  async list(
    workspaceId: number,
    personaId: number,
    page: PageRequest,
    now: Date,
    temporary: boolean | null = null,
  ): Promise<Page<StoredFile> | null> {
    const values = { workspaceId, personaId, now, ...pageValues(page) };
    const rows = await this.database.run(LIST[`${temporary}`], values);
    if (rows.length === 0) return null;
    return pageOf(rows.filter(isFile), page.limit, (file) => file.id);
  }
}

const RESERVE = prepared<{ key: string; now: Date }>()((p) =>
  build
    .insertInto('discarded_objects')
    .values({ key: p('key'), due_at: sql<Date>`${p('now')}::timestamptz + interval '1 hour'` }),
);

const FIND_RESERVED = prepared<{ key: string }>()((p) =>
  build.selectFrom('discarded_objects').select('key').where('key', '=', p('key')),
);

const ADD = prepared<NewFile & { quotas: string }>()((p) =>
  insertFrom(
    build
      .with('space', () => spaceFor(p('workspaceId'), p('size'), p('quotas'), sql`${p('origin')}::text = 'output'`))
      .with('reserved', (db) =>
        db
          .deleteFrom('discarded_objects')
          .where('key', '=', p('key'))
          .where((eb) => eb.exists(eb.selectFrom('space')))
          .returning('key'),
      )
      .with('persona', (db) =>
        db
          .selectFrom('personas')
          .select('id')
          .where('id', '=', p('personaId'))
          .where('deletion_id', 'is', null)
          .forKeyShare(),
      )
      .insertInto('files'),
    (eb) => eb.selectFrom('reserved'),
    (eb) => ({
      ...p.columns('workspaceId', ...NEW_FILE),
      persona_id: eb.selectFrom('persona').select('persona.id'),
      review_at: sql<Date>`${p('createdAt')}::timestamptz + interval '1 hour'`,
    }),
  ).returning(FILE),
);

const LOCK = prepared<{ workspaceId: number; key: string }>()((p) =>
  build
    .selectFrom('files')
    .select(FILE)
    .where('workspace_id', '=', p('workspaceId'))
    .where('key', '=', p('key'))
    .where('deletion_id', 'is', null)
    .forKeyShare(),
);

const LOCK_KEYS = prepared<{ keys: readonly string[] }>()((p) =>
  build
    .selectFrom('files')
    .select('key')
    .where('key', '=', anyOf(p('keys'), 'text'))
    .where('deletion_id', 'is', null)
    .forKeyShare(),
);

const FIND = prepared<{ id: number }>()((p) =>
  build.selectFrom('files').select(FILE).where('id', '=', p('id')).where('deletion_id', 'is', null),
);

const FIND_PUBLIC = brief(
  prepared<{ key: string }>()((p) =>
    build.selectFrom('files').select('files.id').where('files.key', '=', p('key')).where(isShown),
  ),
);

const allFiles = () => build.selectFrom('files').select(FILE);

/** One statement for each kind, so that each is planned for what it lists. */
const LIST = {
  null: listFiles((files) => files),
  true: listFiles((files) => files.where('files.expires_at', 'is not', null)),
  false: listFiles((files) => files.where('files.expires_at', 'is', null)),
};

function listFiles(ofKind: (files: ReturnType<typeof allFiles>) => ReturnType<typeof allFiles>) {
  return prepared<PageValues & { workspaceId: number; personaId: number; now: Date }>()((p) =>
    build
      .selectFrom('personas')
      .leftJoinLateral(
        (eb) =>
          ofKind(allFiles())
            .where('files.persona_id', '=', eb.ref('personas.id'))
            .where('files.deletion_id', 'is', null)
            .where((file) => file.or([file('files.expires_at', 'is', null), file('files.expires_at', '>', p('now'))]))
            // An output belongs to the persona from when its generation succeeds.
            .where((file) => file.or([file('files.origin', '!=', 'output'), isOutput(file)]))
            .where('files.id', '<', p('before'))
            .orderBy('files.id', 'desc')
            .limit(p('limit'))
            .as('file'),
        (on) => on.onTrue(),
      )
      .selectAll('file')
      .where('personas.id', '=', p('personaId'))
      .where('personas.workspace_id', '=', p('workspaceId'))
      .where('personas.deletion_id', 'is', null)
      .orderBy('file.id', 'desc'),
  );
}
