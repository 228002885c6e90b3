import { sql } from 'kysely';
import type { FileAccess, FileMoveProgress, MovingFile, WorkspaceFileRecords, WorkspaceFiles } from '#files';
import { notFound } from '#kernel';
import type { Database } from '../database.ts';
import { anyIn, anyOf, brief, build, prepared } from '../prepared.ts';
import { BYTES_LOCK } from './discarded-files.ts';

const arePrivate = sql<boolean>`(workspaces.files = 'private')`;

/** The columns of a workspace from which the URLs of its files are made. */
export const FILE_ACCESS = [
  arePrivate.as('filesArePrivate'),
  sql<number>`workspaces.file_key_version`.as('fileKeyVersion'),
] as const;

export const WORKSPACE_FILES = [
  ...FILE_ACCESS,
  sql<number>`workspaces.id`.as('workspaceId'),
  sql<Date | null>`workspaces.file_key_rotated_at`.as('keyRotatedAt'),
  sql<Date | null>`workspaces.files_moving_since`.as('movingSince'),
] as const;

/** The object of a file is at the other place than its workspace wants, or moves. */
const isMisplaced = sql<boolean>`(files.is_private is distinct from ${arePrivate})`;

const filesOfWorkspaces = build.selectFrom('files').innerJoin('workspaces', 'workspaces.id', 'files.workspace_id');

export class PostgresWorkspaceFiles implements WorkspaceFileRecords {
  constructor(private readonly database: Database) {}

  async find(workspaceId: number): Promise<WorkspaceFiles> {
    const found = await this.database.one(findFiles, { workspaceId });
    if (!found) throw notFound('workspace');
    return found;
  }

  accessOfKey(key: string): Promise<FileAccess | null> {
    return this.database.one(findByKey, { key });
  }

  async progressOf(workspaceId: number): Promise<FileMoveProgress | null> {
    return this.database.one(countFiles, { workspaceId });
  }

  async keysOf(workspaceId: number, fileIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const files = await this.database.run(findKeys, { workspaceId, fileIds });
    return new Map(files.map(({ id, key }) => [id, key]));
  }

  change(workspaceId: number, filesArePrivate: boolean, now: Date): Promise<boolean> {
    return this.database.any(change, { workspaceId, files: filesArePrivate ? 'private' : 'public', now });
  }

  async rotateKey(workspaceId: number, now: Date): Promise<void> {
    await this.database.run(rotateKey, { workspaceId, now });
  }

  async misplaced(limit: number): Promise<readonly number[]> {
    return (await this.database.run(findMisplaced, { limit })).map(({ id }) => id);
  }

  async beginMoves(workspaceId: number, after: number, limit: number): Promise<readonly number[]> {
    const begun = await this.database.run(beginMoves, { workspaceId, after, limit });
    return begun.map(({ id }) => id).sort((one, other) => one - other);
  }

  takeMoving(fileIds: readonly number[]): Promise<readonly MovingFile[]> {
    return this.database.run(takeMoving, { fileIds });
  }

  async endMoves(files: readonly MovingFile[]): Promise<void> {
    await this.database.run(endMoves, {
      fileIds: files.map(({ id }) => id),
      places: files.map(({ toPrivate }) => toPrivate),
    });
  }

  /** The lock waits for files that are being added, whose places were chosen before the switch. */
  async finishMove(workspaceId: number): Promise<boolean> {
    await this.database.run(lockWorkspace, { workspaceId });
    return this.database.any(finishMove, { workspaceId });
  }
}

const findFiles = brief(
  prepared<{ workspaceId: number }>()((param) =>
    build.selectFrom('workspaces').select(WORKSPACE_FILES).where('id', '=', param('workspaceId')),
  ),
);

const findByKey = brief(
  prepared<{ key: string }>()((param) =>
    filesOfWorkspaces.select(WORKSPACE_FILES).where('files.key', '=', param('key')),
  ),
);

const countFiles = prepared<{ workspaceId: number }>()((param) =>
  filesOfWorkspaces
    .select([sql<number>`count(*) filter (where not ${isMisplaced})`.as('done'), sql<number>`count(*)`.as('total')])
    .where('files.workspace_id', '=', param('workspaceId'))
    .where('workspaces.files_misplaced', '=', true)
    .having(sql<boolean>`count(*) > 0`),
);

const findKeys = prepared<{ workspaceId: number; fileIds: readonly number[] }>()((param) =>
  build
    .selectFrom('files')
    .select(['id', 'key'])
    .where('id', '=', anyOf(param('fileIds')))
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), deletion_id: null })),
);

/** A change of mind goes on with the switch that is under way: its former URLs end with it. */
const change = prepared<{ workspaceId: number; files: 'public' | 'private'; now: Date }>()((param) =>
  build
    .updateTable('workspaces')
    .set({
      files: param('files'),
      files_moving_since: sql<Date>`coalesce(files_moving_since, ${param('now')}::timestamptz)`,
      files_misplaced: true,
    })
    .where('id', '=', param('workspaceId'))
    .where('files', '<>', param('files'))
    .returning('id'),
);

const rotateKey = prepared<{ workspaceId: number; now: Date }>()((param) =>
  build
    .updateTable('workspaces')
    .set((eb) => ({ file_key_version: eb('file_key_version', '+', 1), file_key_rotated_at: param('now') }))
    .where('id', '=', param('workspaceId')),
);

const findMisplaced = prepared<{ limit: number }>()((param) =>
  build.selectFrom('workspaces').select('id').where('files_misplaced', '=', true).orderBy('id').limit(param('limit')),
);

const beginMoves = prepared<{ workspaceId: number; after: number; limit: number }>()((param) =>
  build
    .updateTable('files')
    .set({ is_private: null })
    .where('id', '=', (eb) =>
      anyIn(
        eb
          .selectFrom('files as misplaced')
          .innerJoin('workspaces', 'workspaces.id', 'misplaced.workspace_id')
          .select('misplaced.id')
          .where('misplaced.workspace_id', '=', param('workspaceId'))
          .where('misplaced.id', '>', param('after'))
          .where(sql<boolean>`misplaced.is_private is distinct from ${arePrivate}`)
          .orderBy('misplaced.id')
          .limit(param('limit'))
          .forNoKeyUpdate('misplaced')
          .skipLocked(),
      ),
    )
    .returning('id'),
);

/** The lock makes those wait who bring the bytes of a file back, or delete it. Nothing moves during a backup. */
const takeMoving = prepared<{ fileIds: readonly number[] }>()((param) =>
  filesOfWorkspaces
    .select(['files.id', 'files.key', arePrivate.as('toPrivate')])
    .where('files.id', '=', anyOf(param('fileIds')))
    .where('files.is_private', 'is', null)
    .where(sql<boolean>`(select pg_try_advisory_xact_lock_shared(${sql.lit(BYTES_LOCK)}))`)
    .orderBy('files.id')
    .forUpdate('files')
    .skipLocked(),
);

const endMoves = prepared<{ fileIds: readonly number[]; places: readonly boolean[] }>()((param) =>
  build
    .updateTable('files')
    .from(
      sql<{
        id: number;
        is_private: boolean;
      }>`unnest(${param('fileIds')}::bigint[], ${param('places')}::boolean[])`.as<'moved'>(sql`moved (id, is_private)`),
    )
    .set((eb) => ({ is_private: eb.ref('moved.is_private') }))
    .whereRef('files.id', '=', 'moved.id'),
);

const lockWorkspace = prepared<{ workspaceId: number }>()((param) =>
  build.selectFrom('workspaces').select('id').where('id', '=', param('workspaceId')).forUpdate(),
);

const finishMove = prepared<{ workspaceId: number }>()((param) =>
  build
    .updateTable('workspaces')
    .set({ files_moving_since: null, files_misplaced: false })
    .where('id', '=', param('workspaceId'))
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('files').whereRef('files.workspace_id', '=', 'workspaces.id').where(isMisplaced))),
    )
    .returning('id'),
);
