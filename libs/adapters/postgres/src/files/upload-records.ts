import { sql, type InferResult } from 'kysely';
import {
  factsOf,
  lookDueAt,
  quotaExceeded,
  type Finalization,
  type FinalizedUpload,
  type FrozenUpload,
  type NewUpload,
  type StorageQuotas,
  type StoredFile,
  type Upload,
  type UploadRecords,
} from '#files';
import { CUSTOM_DATA, type CustomData } from '#kernel';
import type { Database } from '../database.ts';
import { addToLibrary } from '../library/library-rows.ts';
import { build, prepared } from '../prepared.ts';
import { Upload as UploadTable } from '../schema.ts';
import { fieldsOf, insertFrom, pick, refs } from '../shapes.ts';
import { FILE, isFile, NAME, NEW_FILE, placedIn, SEEN } from './file-rows.ts';
import { spaceFor } from './storage-space.ts';

export class PostgresUploadRecords implements UploadRecords {
  readonly #quotas: string;

  /** @param quotas by plan; none by default */
  constructor(
    private readonly database: Database,
    quotas: StorageQuotas = {},
  ) {
    this.#quotas = JSON.stringify(quotas);
  }

  async allocate(uploads: readonly NewUpload[]): ReturnType<UploadRecords['allocate']> {
    const personas = await this.#lockPersonas(uploads);
    const missing = uploads.flatMap(({ personaId }, index) => (personas.has(personaId) ? [] : [index]));
    if (missing.length > 0) return { missing };
    const allocated = uploads.map((upload) => ({ ...upload, personaId: personas.get(upload.personaId)! }));
    const rows = await this.database.run(insertUploads, { ...uploads[0]!, ...columnsOf(allocated) });
    const ids = new Map(rows.map(({ id, token }) => [token, id]));
    return allocated.map((upload) => ({ ...upload, id: ids.get(upload.token)!, state: 'allocated' }));
  }

  /** Locks the personas of uploads. @returns the persona's id by the id that the upload names */
  async #lockPersonas(uploads: readonly NewUpload[]): Promise<ReadonlyMap<number | null, number>> {
    const personas = new Map<number | null, number>();
    const uploadOfPersona = new Map(uploads.map((upload) => [upload.personaId, upload]));
    for (const [personaId, upload] of uploadOfPersona) {
      const persona = await this.database.one(lockPersona, upload);
      if (persona) personas.set(personaId, persona.id);
    }
    return personas;
  }

  async find(workspaceId: number, token: string): Promise<Upload | null> {
    const row = await this.database.one(findUpload, { workspaceId, token });
    return row && uploadOf(row);
  }

  async freeze({ id, frozenKey, size, marking, isPrivate, cleanUpAt }: FrozenUpload): Promise<boolean> {
    const saved = { frozenKey, frozenSize: size, frozenMarking: marking, isPrivate, cleanUpAt };
    const frozen = { state: 'frozen', ...saved } as const;
    return (await this.database.em.nativeUpdate(UploadTable, { id, state: 'allocated' }, frozen)) === 1;
  }

  async thaw({ id, frozenKey }: FrozenUpload): Promise<void> {
    const thawed = { state: 'allocated', frozenKey: null, frozenSize: null, frozenMarking: null } as const;
    await this.database.em.nativeUpdate(UploadTable, { id, state: 'frozen', frozenKey }, thawed);
  }

  finalize({ upload, file, cleanUpAt }: Finalization): Promise<FinalizedUpload | null> {
    const { id, frozenKey } = upload;
    const values = {
      marking: null,
      ...file,
      lookDueAt: lookDueAt(file),
      id,
      frozenKey,
      cleanUpAt,
      quotas: this.#quotas,
    };
    return this.database.transaction(async () => {
      const saved = await this.database.one(finalizeUpload, values);
      if (!saved) return null;
      if (!isFile(saved)) throw quotaExceeded();
      await addToLibrary(this.database, [saved.id]);
      return { ...factsOf(upload), state: 'finalized', file: saved, cleanUpAt };
    });
  }

  async take(
    which: { readonly dueBy: Date } | { readonly personaId: number },
    limit: number,
  ): Promise<readonly Upload[]> {
    const rows = await ('dueBy' in which
      ? this.database.run(takeDue, { ...which, limit })
      : this.database.run(takeOfPersona, { ...which, limit }));
    return rows.map(uploadOf);
  }

  async finish(ids: readonly number[]): Promise<void> {
    const { em } = this.database;
    await em.nativeDelete(UploadTable, { id: { $in: ids }, state: { $ne: 'finalized' } });
    await em.nativeUpdate(UploadTable, { id: { $in: ids } }, { cleanUpAt: null });
  }

  async drop(ids: readonly number[]): Promise<void> {
    await this.database.em.nativeDelete(UploadTable, { id: { $in: ids } });
  }
}

/** Uploads with their files; the columns of a file, if there is one, start with `file`. */
const selectUploads = build
  .selectFrom('uploads')
  .leftJoin('files', 'files.id', 'uploads.file_id')
  .select(fieldsOf('uploads', ['id', 'workspaceId', 'userId', 'personaId', 'token', 'filename', 'state', 'fileId']))
  .select(fieldsOf('uploads', ['frozenKey', 'frozenSize', 'frozenMarking', 'isPrivate', 'partsId', 'partsCount']))
  .select(fieldsOf('uploads', ['createdAt', 'expiresAt', 'cleanUpAt', ...CUSTOM_DATA]))
  .select(['files.persona_id as filePersonaId', 'files.origin as fileOrigin', 'files.key as fileKey'])
  .select(['files.filename as fileName', 'files.size as fileSize', 'files.content_type as fileContentType'])
  .select(['files.created_at as fileCreatedAt', 'files.expires_at as fileExpiresAt', 'files.marking as fileMarking'])
  .select(fieldsOf('files', SEEN))
  .select(NAME);

type UploadRow = InferResult<typeof selectUploads>[number];

function uploadOf(row: UploadRow): Upload {
  const { state, partsId, partsCount, frozenKey, frozenSize, frozenMarking, isPrivate, ...values } = row;
  const parts = partsId !== null && partsCount !== null ? { id: partsId, count: partsCount } : null;
  const facts = factsOf({ ...values, parts });
  switch (state) {
    case 'allocated':
    case 'expired':
      return { ...facts, state };
    case 'frozen':
      return { ...facts, state, frozenKey: frozenKey ?? '', size: frozenSize ?? 0, marking: frozenMarking, isPrivate };
    case 'finalized': {
      const file = uploadedFileOf(row);
      // A purge has deleted the file, and has not reached the upload yet.
      return file ? { ...facts, state, file } : { ...facts, state: 'expired' };
    }
  }
}

function uploadedFileOf(row: UploadRow): StoredFile | null {
  const file = {
    ...pick(row, SEEN),
    id: row.fileId,
    workspaceId: row.workspaceId,
    personaId: row.filePersonaId,
    origin: row.fileOrigin,
    key: row.fileKey,
    filename: row.fileName,
    name: row.name,
    size: row.fileSize,
    contentType: row.fileContentType,
    marking: row.fileMarking,
    customer: row.customer,
    metadata: row.metadata,
    createdAt: row.fileCreatedAt,
    expiresAt: row.fileExpiresAt,
  };
  return isFile(file) ? file : null;
}

/** The persona that an upload names, or else the caller's first. Its lock makes the deletion of the persona wait. */
const lockPersona = prepared<Pick<NewUpload, 'workspaceId' | 'userId' | 'personaId'>>()((param) =>
  build
    .selectFrom('personas')
    .select('id')
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), deletion_id: null }))
    .where('id', '=', (eb) =>
      eb.fn.coalesce(
        sql<number>`${param('personaId')}::bigint`,
        eb
          .selectFrom('personas as own')
          .select('own.id')
          .where((eb) =>
            eb.and({
              'own.workspace_id': param('workspaceId'),
              'own.created_by': param('userId'),
              'own.deletion_id': null,
            }),
          )
          .orderBy('own.id')
          .limit(sql.lit(1)),
      ),
    )
    .forKeyShare(),
);

type AllocatedUpload = NewUpload & { readonly personaId: number };

/** The values in which the uploads of one call differ. */
function columnsOf(uploads: readonly AllocatedUpload[]) {
  return {
    personaIds: uploads.map(({ personaId }) => personaId),
    tokens: uploads.map(({ token }) => token),
    filenames: uploads.map(({ filename }) => filename),
    partsIds: uploads.map(({ parts }) => parts?.id ?? null),
    partsCounts: uploads.map(({ parts }) => parts?.count ?? null),
    customers: uploads.map(({ customer }) => customer),
    metadatas: uploads.map(({ metadata }) => metadata && JSON.stringify(metadata)),
  };
}

interface AddedRow extends CustomData {
  readonly persona_id: number;
  readonly token: string;
  readonly filename: string;
  readonly parts_id: string | null;
  readonly parts_count: number | null;
}

const insertUploads = prepared<NewUpload & ReturnType<typeof columnsOf>>()((param) =>
  insertFrom(
    build.insertInto('uploads'),
    (eb) =>
      eb.selectFrom(
        sql<AddedRow>`unnest(${param('personaIds')}::bigint[], ${param('tokens')}::text[], ${param('filenames')}::text[],
          ${param('partsIds')}::text[], ${param('partsCounts')}::integer[], ${param('customers')}::text[],
          ${param('metadatas')}::jsonb[])`.as<'added'>(
          sql`added (persona_id, token, filename, parts_id, parts_count, customer, metadata)`,
        ),
      ),
    (eb) => ({
      ...param.columns('workspaceId', 'userId', 'createdAt', 'expiresAt', 'cleanUpAt'),
      state: sql<'allocated'>`'allocated'`,
      ...refs(eb, 'added', 'persona_id', 'token', 'filename', 'parts_id', 'parts_count', 'customer', 'metadata'),
    }),
  ).returning(['id', 'token']),
);

const findUpload = prepared<{ workspaceId: number; token: string }>()((param) =>
  selectUploads
    .innerJoin('personas', (join) =>
      join.onRef('personas.id', '=', 'uploads.persona_id').on('personas.deletion_id', 'is', null),
    )
    .where((eb) => eb.and({ 'uploads.workspace_id': param('workspaceId'), 'uploads.token': param('token') })),
);

type FinalizationValues = Omit<Finalization['file'], 'seen'> &
  Pick<FrozenUpload, 'id' | 'frozenKey' | 'cleanUpAt'> & { readonly lookDueAt: Date | null; readonly quotas: string };

/** Adds the file of an upload. The row has no file when the workspace's quota has no space for it. */
const finalizeUpload = prepared<FinalizationValues>()((param) =>
  build
    .with('upload', (db) =>
      db
        .selectFrom('uploads')
        .innerJoin('personas', (join) =>
          join.onRef('personas.id', '=', 'uploads.persona_id').on('personas.deletion_id', 'is', null),
        )
        .select(['uploads.workspace_id', 'uploads.persona_id', 'uploads.customer', 'uploads.metadata'])
        .where((eb) =>
          eb.and({ 'uploads.id': param('id'), 'uploads.state': 'frozen', 'uploads.frozen_key': param('frozenKey') }),
        )
        .forUpdate('uploads')
        .forKeyShare('personas'),
    )
    .with('space', () => spaceFor(sql`(select workspace_id from upload)`, param('size'), param('quotas')))
    .with('file', (db) =>
      insertFrom(
        db.insertInto('files'),
        (eb) => eb.selectFrom('upload').where((where) => where.exists(where.selectFrom('space'))),
        (eb) => ({
          ...refs(eb, 'upload', 'workspace_id', 'persona_id', 'customer', 'metadata'),
          ...param.columns(...NEW_FILE, 'lookDueAt'),
        }),
      ).returning(FILE),
    )
    .with('finalized', (db) =>
      db
        .updateTable('uploads')
        .from('file')
        .set((eb) => ({
          state: 'finalized' as const,
          frozen_key: null,
          frozen_size: null,
          file_id: eb.ref('file.id'),
          clean_up_at: param('cleanUpAt'),
        }))
        .where('uploads.id', '=', param('id')),
    )
    .with('placed', () => placedIn(sql`(select workspace_id from upload)`, param('isPrivate')))
    .selectFrom('upload')
    .leftJoin('file', (join) => join.onTrue())
    .selectAll('file'),
);

const takeDue = prepared<{ dueBy: Date; limit: number }>()((param) =>
  selectUploads
    .where('uploads.clean_up_at', '<=', param('dueBy'))
    .orderBy('uploads.clean_up_at')
    .orderBy('uploads.id')
    .limit(param('limit'))
    .forUpdate('uploads')
    .skipLocked(),
);

/** Takes uploads of a deleted persona. Its lock makes a restoration wait. */
const takeOfPersona = prepared<{ personaId: number; limit: number }>()((param) =>
  selectUploads
    .innerJoin('personas', (join) =>
      join.onRef('personas.id', '=', 'uploads.persona_id').on('personas.deletion_id', 'is not', null),
    )
    .where('uploads.persona_id', '=', param('personaId'))
    .orderBy('uploads.id')
    .limit(param('limit'))
    .forUpdate('uploads')
    .forShare('personas')
    .skipLocked(),
);
