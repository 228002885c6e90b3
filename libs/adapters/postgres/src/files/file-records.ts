import { sql, type RawBuilder, type UpdateQueryBuilder, type UpdateResult } from 'kysely';
import {
  isSeen,
  lookDueAt,
  NOTHING_SEEN,
  PICTURE_FACTS,
  quotaExceeded,
  type FileRecords,
  type NewFile,
  type PlacedKey,
  type SeenPicture,
  type ServedFile,
  type StorageQuotas,
  type StoredFile,
  type Thumbnail,
} from '#files';
import {
  CUSTOM_DATA,
  DomainError,
  NO_CUSTOM_DATA,
  pageOf,
  type CustomData,
  type Page,
  type PageRequest,
} from '#kernel';
import type { Database } from '../database.ts';
import { anyIn, anyOf, brief, build, pageValues, prepared, type PageValues, type Param } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { insertFrom } from '../shapes.ts';
import { hasContents } from '../sharing/shared-media.ts';
import { FILE, isFile, isOutput, NEW_FILE, placedIn, stateOf, valuesOf, type SeenValues } from './file-rows.ts';
import { spaceFor } from './storage-space.ts';
import { WORKSPACE_FILES } from './workspace-file-records.ts';

export class PostgresFileRecords implements FileRecords {
  readonly #quotas: string;

  /** @param quotas by plan; none by default */
  constructor(
    private readonly database: Database,
    quotas: StorageQuotas = {},
  ) {
    this.#quotas = JSON.stringify(quotas);
  }

  async reserve(key: string, workspaceId: number, now: Date): Promise<boolean> {
    const [reserved] = await this.database.runApart(reserveKey, { key, workspaceId, now });
    return reserved?.isPrivate ?? false;
  }

  async add(file: NewFile): Promise<StoredFile> {
    const seen = valuesOf(file.seen ?? NOTHING_SEEN);
    const added = await this.database.one(insertFile, {
      ...NO_CUSTOM_DATA,
      marking: null,
      ...file,
      ...seen,
      lookDueAt: lookDueAt(file),
      quotas: this.#quotas,
    });
    if (added) return added;
    // The statement leaves the reservation only when the quota has no space for the file.
    if (await this.database.any(findReserved, { key: file.key })) throw quotaExceeded();
    throw new DomainError('conflict', 'storing the file took too long; try again');
  }

  lockByKey(workspaceId: number, key: string): Promise<StoredFile | null> {
    return this.database.one(lockByKey, { workspaceId, key });
  }

  lockKeys(keys: readonly string[]): Promise<readonly PlacedKey[]> {
    return this.database.run(lockKeys, { keys });
  }

  find(id: number): Promise<StoredFile | null> {
    return this.database.one(findFile, { id });
  }

  claimUnseen(now: Date, until: Date, limit: number): Promise<readonly StoredFile[]> {
    return this.database.run(claimUnseen, { now, until, limit });
  }

  saveSeen(fileId: number, seen: SeenPicture): Promise<boolean> {
    return this.database.any(saveSeen, { id: fileId, ...valuesOf(seen) });
  }

  async isPublic(key: string): Promise<boolean> {
    const found = await this.database.one(findState, { key });
    return found !== null && isSeen('url', found.state);
  }

  async served(key: string, shareId: number | null, now: Date): Promise<ServedFile | null> {
    const found = await this.database.one(findServed, { key, shareId, now });
    if (!found) return null;
    const { state, isShareOpen, ...workspace } = found;
    return { state, isShareOpen, workspace };
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

const reserveKey = prepared<{ key: string; workspaceId: number; now: Date }>()((param) =>
  build
    .insertInto('discarded_objects')
    .values({ key: param('key'), due_at: sql<Date>`${param('now')}::timestamptz + interval '1 hour'` })
    .returning(
      sql<boolean | null>`(select files = 'private' from workspaces where id = ${param('workspaceId')}::bigint)`.as(
        'isPrivate',
      ),
    ),
);

const findReserved = prepared<{ key: string }>()((param) =>
  build.selectFrom('discarded_objects').select('key').where('key', '=', param('key')),
);

type NewRow = Omit<NewFile, 'seen' | 'marking' | keyof CustomData> &
  CustomData &
  Pick<StoredFile, 'marking'> &
  SeenValues & { readonly lookDueAt: Date | null; readonly quotas: string };

const seenColumns = (param: Param<SeenValues>) => ({
  ...param.columns(...PICTURE_FACTS, 'colors'),
  thumbnails: sql<Thumbnail[]>`${param('thumbnails')}::jsonb`,
  shape: sql<string>`${param('shape')}::bit(64)`,
});

const insertFile = prepared<NewRow>()((param) =>
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
    .with('added', (db) =>
      insertFrom(
        db.insertInto('files'),
        (eb) => eb.selectFrom('reserved'),
        (eb) => ({
          ...param.columns('workspaceId', ...NEW_FILE, 'lookDueAt', ...CUSTOM_DATA),
          ...seenColumns(param),
          persona_id: eb.selectFrom('persona').select('persona.id'),
          review_at: sql<Date>`${param('createdAt')}::timestamptz + interval '1 hour'`,
        }),
      ).returning(FILE),
    )
    .with('linked', (db) => linkThumbnails(db.updateTable('files').from('added'), param('thumbnailKeys')))
    .with('placed', () => placedIn(param('workspaceId'), param('isPrivate')))
    .selectFrom('added')
    .selectAll(),
);

/** Makes files thumbnails of the picture that was `added`. Whether they are needed depends on it from now on. */
function linkThumbnails<DB extends Tables & { added: { id: number } }>(
  files: UpdateQueryBuilder<DB, 'files', 'files' | 'added', UpdateResult>,
  keys: RawBuilder<readonly string[]>,
) {
  return files
    .set({ picture_id: sql<number>`added.id`, review_at: null } as never)
    .where(sql<boolean>`files.key = ${anyOf(keys, 'text')}`);
}

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
    .select(['key', sql<boolean>`coalesce(is_private, false)`.as('isPrivate')])
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

/** How often a look is tried: over a day, so that a storage that is away for hours costs none. */
const MAX_TRIES = 9;

/** Skips deleted files, whose bytes may be gone. */
const claimUnseen = prepared<{ now: Date; until: Date; limit: number }>()((param) =>
  build
    .updateTable('files')
    .set((eb) => ({
      // Twice as long after each try; never again after the last one.
      look_due_at: sql<Date | null>`case when look_tries < ${sql.lit(MAX_TRIES - 1)} then
        ${param('now')}::timestamptz + (${param('until')}::timestamptz - ${param('now')}::timestamptz)
          * power(2, look_tries) end`,
      look_tries: eb('look_tries', '+', 1),
    }))
    .where('id', '=', (eb) =>
      anyIn(
        eb
          .selectFrom('files as due')
          .select('due.id')
          .where('due.look_due_at', '<=', param('now'))
          .where('due.deletion_id', 'is', null)
          .orderBy('due.look_due_at', 'desc')
          .limit(param('limit'))
          .forNoKeyUpdate()
          .skipLocked(),
      ),
    )
    .returning(FILE),
);

/** A file that is deleted meanwhile gets nothing: the condition is read again after the wait for the lock. */
const saveSeen = prepared<SeenValues & { readonly id: number }>()((param) => {
  const { thumbnails, ...facts } = seenColumns(param);
  const known = Object.entries(facts).map(([column, value]) => [
    column,
    sql`coalesce(${value}, files.${sql.ref(column)})`,
  ]);
  return build
    .with('added', (db) =>
      db
        .updateTable('files')
        .set({
          ...(Object.fromEntries(known) as object),
          thumbnails: sql`case when ${thumbnails} = '[]' then files.thumbnails else ${thumbnails} end`,
          look_due_at: null,
        })
        .where((eb) => eb.and({ id: param('id'), deletion_id: null }))
        .where(sql<boolean>`(${thumbnails} = '[]' or files.thumbnails = '[]')`)
        .returning('id'),
    )
    .with('linked', (db) => linkThumbnails(db.updateTable('files').from('added'), param('thumbnailKeys')))
    .selectFrom('added')
    .select('id');
});

const findState = brief(
  prepared<{ key: string }>()((param) =>
    build
      .selectFrom('files')
      .where('files.key', '=', param('key'))
      .select((eb) => stateOf(eb).as('state')),
  ),
);

/** A link in the URL of another workspace's file opens nothing. */
const isShareOpen = (shareId: RawBuilder<number | null>, now: RawBuilder<Date>) => sql<boolean>`exists (
  select from shares
  where shares.id = ${shareId}::bigint and shares.workspace_id = files.workspace_id
    and (shares.expires_at is null or shares.expires_at > ${now}::timestamptz)
    and workspaces.erasure_requested_at is null and ${hasContents})`;

const findServed = brief(
  prepared<{ key: string; shareId: number | null; now: Date }>()((param) =>
    build
      .selectFrom('files')
      .innerJoin('workspaces', 'workspaces.id', 'files.workspace_id')
      .where('files.key', '=', param('key'))
      .select(WORKSPACE_FILES)
      .select((eb) => [stateOf(eb).as('state'), isShareOpen(param('shareId'), param('now')).as('isShareOpen')]),
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
