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
    await this.database.runApart(reserveKey, { key, now });
  }

  async add(file: NewFile): Promise<StoredFile> {
    const added = await this.database.one(insertFile, { ...file, quotas: this.#quotas });
    if (added) return added;
    // The statement leaves the reservation only when the quota has no space for the file.
    if (await this.database.any(findReserved, { key: file.key })) throw quotaExceeded();
    throw new DomainError('conflict', 'storing the file took too long; try again');
  }

  lockByKey(workspaceId: number, key: string): Promise<StoredFile | null> {
    return this.database.one(lockByKey, { workspaceId, key });
  }

  async lockKeys(keys: readonly string[]): Promise<readonly string[]> {
    return (await this.database.run(lockKeys, { keys })).map(({ key }) => key);
  }

  find(id: number): Promise<StoredFile | null> {
    return this.database.one(findFile, { id });
  }

  isPublic(key: string): Promise<boolean> {
    return this.database.any(findPublic, { key });
  }

  async list(
    workspaceId: number,
    personaId: number,
    page: PageRequest,
    now: Date,
    temporary: boolean | null = null,
  ): Promise<Page<StoredFile> | null> {
    const values = { workspaceId, personaId, now, ...pageValues(page) };
    const rows = await this.database.run(listFiles[`${temporary}`], values);
    if (rows.length === 0) return null;
    return pageOf(rows.filter(isFile), page.limit, (file) => file.id);
  }
}

const reserveKey = prepared<{ key: string; now: Date }>()((param) =>
  build
    .insertInto('discarded_objects')
    .values({ key: param('key'), due_at: sql<Date>`${param('now')}::timestamptz + interval '1 hour'` }),
);

const findReserved = prepared<{ key: string }>()((param) =>
  build.selectFrom('discarded_objects').select('key').where('key', '=', param('key')),
);

const insertFile = prepared<NewFile & { quotas: string }>()((param) =>
  insertFrom(
    build
      .with('space', () =>
        spaceFor(param('workspaceId'), param('size'), param('quotas'), sql`${param('origin')}::text = 'output'`),
      )
      .with('reserved', (db) =>
        db
          .deleteFrom('discarded_objects')
          .where('key', '=', param('key'))
          .where((eb) => eb.exists(eb.selectFrom('space')))
          .returning('key'),
      )
      .with('persona', (db) =>
        db
          .selectFrom('personas')
          .select('id')
          .where('id', '=', param('personaId'))
          .where('deletion_id', 'is', null)
          .forKeyShare(),
      )
      .insertInto('files'),
    (eb) => eb.selectFrom('reserved'),
    (eb) => ({
      ...param.columns('workspaceId', ...NEW_FILE),
      persona_id: eb.selectFrom('persona').select('persona.id'),
      review_at: sql<Date>`${param('createdAt')}::timestamptz + interval '1 hour'`,
    }),
  ).returning(FILE),
);

const lockByKey = prepared<{ workspaceId: number; key: string }>()((param) =>
  build
    .selectFrom('files')
    .select(FILE)
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), key: param('key'), deletion_id: null }))
    .forKeyShare(),
);

const lockKeys = prepared<{ keys: readonly string[] }>()((param) =>
  build
    .selectFrom('files')
    .select('key')
    .where('key', '=', anyOf(param('keys'), 'text'))
    .where('deletion_id', 'is', null)
    .forKeyShare(),
);

const findFile = prepared<{ id: number }>()((param) =>
  build
    .selectFrom('files')
    .select(FILE)
    .where((eb) => eb.and({ id: param('id'), deletion_id: null })),
);

const findPublic = brief(
  prepared<{ key: string }>()((param) =>
    build.selectFrom('files').select('files.id').where('files.key', '=', param('key')).where(isShown),
  ),
);

const allFiles = () => build.selectFrom('files').select(FILE);

/** One statement for each kind, so that each is planned for what it lists. */
const listFiles = {
  null: filesPage((files) => files),
  true: filesPage((files) => files.where('files.expires_at', 'is not', null)),
  false: filesPage((files) => files.where('files.expires_at', 'is', null)),
};

function filesPage(ofKind: (files: ReturnType<typeof allFiles>) => ReturnType<typeof allFiles>) {
  return prepared<PageValues & { workspaceId: number; personaId: number; now: Date }>()((param) =>
    build
      .selectFrom('personas')
      .leftJoinLateral(
        (eb) =>
          ofKind(allFiles())
            .where('files.persona_id', '=', eb.ref('personas.id'))
            .where('files.deletion_id', 'is', null)
            .where('files.removed_at', 'is', null)
            .where((file) =>
              file.or([file('files.expires_at', 'is', null), file('files.expires_at', '>', param('now'))]),
            )
            // An output belongs to the persona once its generation has succeeded.
            .where((file) => file.or([file('files.origin', '!=', 'output'), isOutput(file)]))
            .where('files.id', '<', param('before'))
            .orderBy('files.id', 'desc')
            .limit(param('limit'))
            .as('file'),
        (on) => on.onTrue(),
      )
      .selectAll('file')
      .where((eb) =>
        eb.and({
          'personas.id': param('personaId'),
          'personas.workspace_id': param('workspaceId'),
          'personas.deletion_id': null,
        }),
      )
      .orderBy('file.id', 'desc'),
  );
}
