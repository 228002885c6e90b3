import {
  factsOf,
  type AllocatedUpload,
  type Finalization,
  type FinalizedUpload,
  type FrozenUpload,
  type NewUpload,
  type StoredFile,
  type Upload,
  type UploadFacts,
  type Uploads,
} from '#files';
import type { Database } from '../database.ts';
import { FILE_COLUMNS } from './file-columns.ts';

export class PostgresUploads implements Uploads {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async allocate(upload: NewUpload): Promise<AllocatedUpload | null> {
    const { workspaceId, userId, personaId } = upload;
    const row = await this.#database.one<{ id: number; personaId: number }>(
      personaId === null ? ALLOCATE_TO_FIRST : ALLOCATE,
      [
        workspaceId,
        userId,
        ...(personaId === null ? [] : [personaId]),
        upload.token,
        upload.filename,
        upload.createdAt,
        upload.expiresAt,
        upload.cleanUpAt,
        upload.parts?.id ?? null,
        upload.parts?.count ?? null,
      ],
    );
    return row && { ...upload, ...row, state: 'allocated' };
  }

  async find(workspaceId: number, token: string): Promise<Upload | null> {
    const row = await this.#database.one<UploadRow>(FIND, [workspaceId, token]);
    return row && uploadOf(row);
  }

  async freeze(upload: FrozenUpload): Promise<boolean> {
    const { id, frozenKey, size, cleanUpAt } = upload;
    return (await this.#database.one(FREEZE, [id, frozenKey, size, cleanUpAt])) !== null;
  }

  async thaw(upload: FrozenUpload): Promise<void> {
    await this.#database.query(THAW, [upload.id, upload.frozenKey]);
  }

  async finalize({ upload, file, cleanUpAt }: Finalization): Promise<FinalizedUpload | null> {
    const saved = await this.#database.one<StoredFile>(FINALIZE, [
      upload.id,
      upload.frozenKey,
      cleanUpAt,
      file.origin,
      file.key,
      file.filename,
      file.size,
      file.contentType,
      file.createdAt,
      file.expiresAt,
    ]);
    return saved && { ...factsOf(upload), state: 'finalized', file: saved, cleanUpAt };
  }

  async takeDue(now: Date, limit: number): Promise<readonly Upload[]> {
    return (await this.#database.query<UploadRow>(TAKE_DUE, [now, limit])).map(uploadOf);
  }

  async takeOfPersona(personaId: number, limit: number): Promise<readonly Upload[]> {
    return (await this.#database.query<UploadRow>(TAKE_OF_PERSONA, [personaId, limit])).map(uploadOf);
  }

  async settle(ids: readonly number[]): Promise<void> {
    await this.#database.query(SETTLE, [ids]);
  }

  async drop(ids: readonly number[]): Promise<void> {
    await this.#database.query('delete from uploads where id = any($1)', [ids]);
  }
}

interface UploadRow extends UploadFacts {
  readonly state: Upload['state'];
  readonly frozenKey: string;
  readonly frozenSize: number;
  /** `null` when there is no file, and then none of the following is there. */
  readonly fileId: number | null;
  readonly filePersonaId: number | null;
  readonly fileOrigin: StoredFile['origin'];
  readonly fileKey: string;
  readonly fileName: string;
  readonly fileSize: number;
  readonly fileType: string;
  readonly fileCreatedAt: Date;
  readonly fileExpiresAt: Date | null;
}

const UPLOAD = `
  u.id, u.workspace_id as "workspaceId", u.user_id as "userId", u.persona_id as "personaId", u.token, u.filename,
  case when u.parts_id is not null then json_build_object('id', u.parts_id, 'count', u.parts_count) end as parts,
  u.created_at as "createdAt", u.expires_at as "expiresAt", u.clean_up_at as "cleanUpAt", u.state,
  u.frozen_key as "frozenKey", u.frozen_size as "frozenSize",
  f.id as "fileId", f.persona_id as "filePersonaId", f.origin as "fileOrigin", f.key as "fileKey",
  f.filename as "fileName", f.size as "fileSize", f.content_type as "fileType", f.created_at as "fileCreatedAt",
  f.expires_at as "fileExpiresAt"
  from uploads u
  left join files f on f.id = u.file_id`;

function uploadOf(row: UploadRow): Upload {
  const facts = factsOf(row);
  switch (row.state) {
    case 'allocated':
      return { ...facts, state: 'allocated' };
    case 'frozen':
      return { ...facts, state: 'frozen', frozenKey: row.frozenKey, size: row.frozenSize };
    case 'finalized':
      // Without its file: a purge is under way that has not come to the upload yet.
      return row.fileId === null
        ? { ...facts, state: 'expired' }
        : { ...facts, state: 'finalized', file: fileOf(row, row.fileId) };
    case 'expired':
      return { ...facts, state: 'expired' };
  }
}

function fileOf(row: UploadRow, id: number): StoredFile {
  return {
    id,
    workspaceId: row.workspaceId,
    personaId: row.filePersonaId,
    origin: row.fileOrigin,
    key: row.fileKey,
    filename: row.fileName,
    size: row.fileSize,
    contentType: row.fileType,
    createdAt: row.fileCreatedAt,
    expiresAt: row.fileExpiresAt,
  };
}

// The lock is the one that the foreign key takes anyway. Taken first, it sees a persona that is being deleted.
const ALLOCATE = `
  with persona as (
    select id from personas
    where workspace_id = $1 and id = $3 and deleted_at is null
    for key share
  )
  insert into uploads
    (workspace_id, user_id, persona_id, token, filename, state, created_at, expires_at, clean_up_at, parts_id,
     parts_count)
  select $1, $2::bigint, id, $4::text, $5::text, 'allocated', $6::timestamptz, $7::timestamptz, $8::timestamptz,
    $9::text, $10::integer
  from persona
  returning id, persona_id as "personaId"`;

const ALLOCATE_TO_FIRST = `
  with persona as (
    select id from personas
    where workspace_id = $1 and created_by = $2 and deleted_at is null
    order by id limit 1
    for key share
  )
  insert into uploads
    (workspace_id, user_id, persona_id, token, filename, state, created_at, expires_at, clean_up_at, parts_id,
     parts_count)
  select $1, $2, id, $3::text, $4::text, 'allocated', $5::timestamptz, $6::timestamptz, $7::timestamptz, $8::text,
    $9::integer
  from persona
  returning id, persona_id as "personaId"`;

const FIND = `
  select ${UPLOAD}
  join personas p on p.id = u.persona_id and p.deleted_at is null
  where u.workspace_id = $1 and u.token = $2`;

const FREEZE = `
  update uploads set state = 'frozen', frozen_key = $2, frozen_size = $3, clean_up_at = $4
  where id = $1 and state = 'allocated'
  returning id`;

const THAW = `
  update uploads set state = 'allocated', frozen_key = null, frozen_size = null
  where id = $1 and state = 'frozen' and frozen_key = $2`;

const FINALIZE = `
  with upload as (
    select u.id, u.workspace_id, u.persona_id
    from uploads u
    join personas p on p.id = u.persona_id and p.deleted_at is null
    where u.id = $1 and u.state = 'frozen' and u.frozen_key = $2
    for update of u for key share of p
  ),
  file as (
    insert into files as f
      (workspace_id, persona_id, origin, key, filename, size, content_type, created_at, expires_at)
    select workspace_id, persona_id, $4::text, $5::text, $6::text, $7::bigint, $8::text, $9::timestamptz,
      $10::timestamptz
    from upload
    returning ${FILE_COLUMNS}
  ),
  finalized as (
    update uploads
    set state = 'finalized', frozen_key = null, frozen_size = null, file_id = file.id, clean_up_at = $3
    from file
    where uploads.id = $1
  )
  select * from file`;

const TAKE_DUE = `
  select ${UPLOAD}
  where u.clean_up_at <= $1
  order by u.clean_up_at, u.id
  limit $2
  for update of u skip locked`;

const TAKE_OF_PERSONA = `
  select ${UPLOAD}
  where u.persona_id = $1
  order by u.id
  limit $2
  for update of u skip locked`;

const SETTLE = `
  with dropped as (delete from uploads where id = any($1) and state <> 'finalized')
  update uploads set clean_up_at = null where id = any($1) and state = 'finalized'`;
