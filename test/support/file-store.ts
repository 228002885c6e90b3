import {
  PostgresDeletions,
  PostgresDiscardedFiles,
  PostgresFileRecords,
  PostgresStorageRecords,
  PostgresStorageSpace,
  PostgresUnitOfWork,
  PostgresUploadRecords,
  PostgresWorkspaceFiles,
  type Database,
} from '#adapters/postgres';
import { systemClock } from '#kernel';
import { Personas } from '#persona';
import { Deletions } from '#trash';
import type { StorageQuotas } from '#files';
import type { FileStore, ReferenceKind } from '#testing/files';
import { newWorkspace, sqlOn, type Sql } from './database.ts';
import type { Lifeline } from './lifeline.ts';
import { Product } from './product.ts';

/** References that keep a file. */
export const LASTING: readonly ReferenceKind[] = [
  'training',
  'media',
  'image of an open generation',
  'style of an open generation',
  'further input of a generation',
  'style',
  'picture of a style',
  'picture for guests',
];

/** The ports of files on PostgreSQL, for their contract suites and the tests of use cases. */
export function fileStoreOn(database: Database, quotas: StorageQuotas = {}): FileStore {
  const sql = sqlOn(database);
  const unitOfWork = new PostgresUnitOfWork(database);
  return {
    files: new PostgresFileRecords(database, quotas),
    uploads: new PostgresUploadRecords(database, quotas),
    discarded: new PostgresDiscardedFiles(database),
    records: new PostgresStorageRecords(database),
    space: new PostgresStorageSpace(database, quotas),
    workspaces: new PostgresWorkspaceFiles(database),
    unitOfWork,
    personas: new Product({ database }, { clock: systemClock }).get(Personas),
    newWorkspace: () => newWorkspace(database),
    newPersona: async ({ workspaceId, userId }) => {
      const row = await sql.one<{ id: number }>(
        `insert into personas (workspace_id, created_by, name, created_at, updated_at)
         values ($1, $2, 'Default', now(), now()) returning id`,
        [workspaceId, userId],
      );
      return row!.id;
    },
    deletePersona: async (personaId, expiresAt = new Date(0)) => {
      await sql.query(
        `with entry as (
           insert into trash (workspace_id, kind, item_id, name, deleted_by, deleted_at, expires_at)
           select workspace_id, 'persona', id, name, created_by, now(), $2 from personas where id = $1 returning id)
         update personas set deletion_id = entry.id from entry where personas.id = $1`,
        [personaId, expiresAt],
      );
    },
    carryOut: async (personaId, by) => {
      const generations = { endOfPersona: async () => undefined };
      const deletions = new Deletions({ ...by, deletions: new PostgresDeletions(database), generations, unitOfWork });
      const entry = await sql.one<{ id: number }>('select deletion_id as id from personas where id = $1', [personaId]);
      if (entry) await deletions.carryOut([entry.id], new AbortController().signal);
    },
    hasPersona: async (personaId) => (await sql.one('select id from personas where id = $1', [personaId])) !== null,
    refer: async (kind, fileId) => {
      await sql.query(REFER[kind], [fileId]);
    },
    unrefer: async (fileId) => {
      for (const statement of UNREFER) await sql.query(statement, [fileId]);
    },
  };
}

/** Deletes all files, what refers to them, and the trash: a sweep works on all workspaces. */
export async function deleteAllFiles({ query }: Sql): Promise<void> {
  const referring = [
    'media',
    'folders',
    'boards',
    'uploads',
    'styles',
    'trainings',
    'files',
    'generations',
    'personas',
  ];
  for (const table of [...referring, 'trash']) await query(`delete from ${table}`);
}

/** The store as a process sees it that ends at a certain call. */
export function mortalStore(store: FileStore, lifeline: Lifeline): FileStore {
  return {
    ...store,
    files: lifeline.wrap(store.files),
    uploads: lifeline.wrap(store.uploads),
    discarded: lifeline.wrap(store.discarded),
  };
}

const WITH_OWNER = `
  with owner as (
    select f.id as file_id, f.workspace_id, m.user_id
    from files f
    join memberships m on m.workspace_id = f.workspace_id
    where f.id = $1
  )`;

const generation = (column: string, state: string) => `
  insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at${column && `, ${column}`})
  select workspace_id, user_id, 'a-model', 'image', '${state}', '{}'::jsonb, 1, now()${column && ', file_id'}
  from owner`;

const PERSONA = `persona as (
    insert into personas (workspace_id, created_by, name, created_at, updated_at)
    select workspace_id, user_id, 'Another', now(), now() from owner
    returning id
  )`;

const style = (fileId: string) => `
  insert into styles (workspace_id, persona_id, name, model, trigger, slots, file_id, created_at)
  select workspace_id, id, 'A style', 'a-model', 'x12abcdefgh', '', ${fileId}, now() from owner, persona`;

const REFER: Readonly<Record<ReferenceKind, string>> = {
  training: `${WITH_OWNER}, ${PERSONA}
    insert into trainings (workspace_id, persona_id, source_url, file_id, state, created_at, picture_version)
    select workspace_id, id, 'https://example.com', file_id, 'processed', now(), 1 from owner, persona`,
  media: `${WITH_OWNER},
    board as (
      insert into boards (workspace_id, created_by, name, created_at)
      select workspace_id, user_id, 'Board', now() from owner
      returning id, created_by
    ),
    item as (
      insert into media (board_id, created_by, state, created_at)
      select id, created_by, 'processed', now() from board
      returning id
    )
    insert into media_files (media_id, file_id) select id, file_id from item, owner`,
  'image of an open generation': WITH_OWNER + generation('image_file_id', 'queued'),
  'style of an open generation': WITH_OWNER + generation('style_file_id', 'running'),
  'further input of a generation': `${WITH_OWNER},
    generation as (${generation('', 'queued')} returning id)
    insert into generation_inputs (generation_id, input, position, file_id)
    select id, 'references', 1, file_id from generation, owner`,
  style: `${WITH_OWNER}, ${PERSONA}
    ${style('file_id')}`,
  'picture of a style': `${WITH_OWNER}, ${PERSONA},
    style as (${style('null::bigint')} returning id)
    insert into style_pictures (style_id, position, training_id, file_id) select style.id, 1, 1, file_id from style, owner`,
  'picture for guests': `${WITH_OWNER},
    board as (
      insert into boards (workspace_id, created_by, name, created_at)
      select workspace_id, user_id, 'Board', now() from owner
      returning id, workspace_id, created_by
    ),
    item as (
      insert into media (board_id, created_by, state, created_at)
      select id, created_by, 'processed', now() from board
      returning id
    ),
    share as (
      insert into shares (workspace_id, created_by, hash, name, board_id, allow, watermark, created_at)
      select workspace_id, created_by, sha256(id::text::bytea), 'Board', id, '{}', 'Draft', now() from board
      returning id
    ),
    picture as (
      insert into share_pictures (share_id, media_id, state) select share.id, item.id, 'made' from share, item
      returning share_id, media_id
    )
    insert into share_picture_files (file_id, share_id, media_id) select file_id, share_id, media_id from picture, owner`,
  output: `${WITH_OWNER},
    generation as (${generation('', 'succeeded')} returning id)
    insert into generation_outputs (generation_id, position, file_id) select id, 0, file_id from generation, owner`,
  thumbnail: `${WITH_OWNER},
    generation as (${generation('', 'succeeded')} returning id),
    picture as (
      insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at)
      select workspace_id, persona_id, 'output', 'files/' || gen_random_uuid() || '/a.png', 'a.png', 1, 'image/png', now()
      from files where id = $1
      returning id
    ),
    output as (insert into generation_outputs (generation_id, position, file_id) select generation.id, 0, picture.id
      from generation, picture)
    update files set picture_id = picture.id from picture, owner where files.id = owner.file_id`,
};

const UNREFER = [
  'delete from styles where file_id = $1',
  'delete from style_pictures where file_id = $1',
  'delete from trainings where file_id = $1',
  'delete from media_files where file_id = $1',
  'delete from share_picture_files where file_id = $1',
  `update generations set state = 'succeeded' where image_file_id = $1 or style_file_id = $1`,
  'delete from generation_inputs where file_id = $1',
  'delete from generation_outputs where file_id = $1',
  'update files set picture_id = null where id = $1',
];
