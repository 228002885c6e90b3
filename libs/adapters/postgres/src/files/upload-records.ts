import { sql } from 'kysely';
import {
  factsOf,
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
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { fieldsOf, insertFrom } from '../shapes.ts';
import { FILE, isFile, NEW_FILE } from './file-rows.ts';
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
    const personas = await this.lockPersonas(uploads);
    const missing = uploads.flatMap(({ personaId }, index) => (personas.has(personaId) ? [] : [index]));
    if (missing.length > 0) return { missing };
    const allocated = uploads.map((upload) => ({ ...upload, personaId: personas.get(upload.personaId)! }));
    const rows = await this.database.run(ADD, { ...uploads[0]!, ...columnsOf(allocated) });
    const ids = new Map(rows.map(({ id, token }) => [token, id]));
    return allocated.map((upload) => ({ ...upload, id: ids.get(upload.token)!, state: 'allocated' }));
  }

  /** The persona that each goes to, by the one that it names. */
  private async lockPersonas(uploads: readonly NewUpload[]): Promise<ReadonlyMap<number | null, number>> {
    const personas = new Map<number | null, number>();
    const asked = new Map(uploads.map((upload) => [upload.personaId, upload]));
    for (const [personaId, upload] of asked) {
      const persona = await this.database.one(LOCK_PERSONA, upload);
      if (persona) personas.set(personaId, persona.id);
    }
    return personas;
  }

  async find(workspaceId: number, token: string): Promise<Upload | null> {
    const row = await this.database.one(FIND, { workspaceId, token });
    return row && uploadOf(row);
  }

  async freeze(upload: FrozenUpload): Promise<boolean> {
    return this.database.any(FREEZE, upload);
  }

  async thaw(upload: FrozenUpload): Promise<void> {
    await this.database.run(THAW, upload);
  }

  async finalize({ upload, file, cleanUpAt }: Finalization): Promise<FinalizedUpload | null> {
    const { id, frozenKey } = upload;
    const saved = await this.database.one(FINALIZE, { ...file, id, frozenKey, cleanUpAt, quotas: this.#quotas });
    if (!saved) return null;
    if (!isFile(saved)) throw quotaExceeded();
    return { ...factsOf(upload), state: 'finalized', file: saved, cleanUpAt };
  }

  async take(
    which: { readonly dueBy: Date } | { readonly personaId: number },
    limit: number,
  ): Promise<readonly Upload[]> {
    const rows =
      'dueBy' in which
        ? await this.database.run(TAKE_DUE, { ...which, limit })
        : await this.database.run(TAKE_OF_PERSONA, { ...which, limit });
    return rows.map(uploadOf);
  }

  async settle(ids: readonly number[]): Promise<void> {
    await this.database.run(SETTLE, { ids });
  }

  async drop(ids: readonly number[]): Promise<void> {
    await this.database.run(DROP, { ids });
  }
}

/** Uploads with their files; the columns of a file, if there is one, start with `file`. */
const UPLOADS = build
  .selectFrom('uploads')
  .leftJoin('files', 'files.id', 'uploads.file_id')
  .select(fieldsOf('uploads', ['id', 'workspaceId', 'userId', 'personaId', 'token', 'filename', 'state', 'fileId']))
  .select(fieldsOf('uploads', ['frozenKey', 'frozenSize', 'partsId', 'partsCount']))
  .select(fieldsOf('uploads', ['createdAt', 'expiresAt', 'cleanUpAt']))
  .select([
    'files.persona_id as filePersonaId',
    'files.origin as fileOrigin',
    'files.key as fileKey',
    'files.filename as fileName',
    'files.size as fileSize',
    'files.content_type as fileContentType',
    'files.created_at as fileCreatedAt',
    'files.expires_at as fileExpiresAt',
  ]);

type UploadRow = typeof UPLOADS extends { execute(): Promise<(infer Row)[]> } ? Row : never;

function uploadOf(row: UploadRow): Upload {
  const { state, partsId, partsCount, frozenKey, frozenSize, ...values } = row;
  const parts = partsId !== null && partsCount !== null ? { id: partsId, count: partsCount } : null;
  const facts = factsOf({ ...values, parts });
  switch (state) {
    case 'allocated':
    case 'expired':
      return { ...facts, state };
    case 'frozen':
      return { ...facts, state, frozenKey: frozenKey ?? '', size: frozenSize ?? 0 };
    case 'finalized': {
      const file = uploadedFileOf(row);
      // Without its file: a purge is under way that has not reached the upload yet.
      return file ? { ...facts, state, file } : { ...facts, state: 'expired' };
    }
  }
}

function uploadedFileOf(row: UploadRow): StoredFile | null {
  const file = {
    id: row.fileId,
    workspaceId: row.workspaceId,
    personaId: row.filePersonaId,
    origin: row.fileOrigin,
    key: row.fileKey,
    filename: row.fileName,
    size: row.fileSize,
    contentType: row.fileContentType,
    createdAt: row.fileCreatedAt,
    expiresAt: row.fileExpiresAt,
  };
  return isFile(file) ? file : null;
}

// As the foreign key does anyway, but first: a persona that is deleted meanwhile is not there any more.
const LOCK_PERSONA = prepared<Pick<NewUpload, 'workspaceId' | 'userId' | 'personaId'>>()((p) =>
  build
    .selectFrom('personas')
    .select('id')
    .where('workspace_id', '=', p('workspaceId'))
    .where('deletion_id', 'is', null)
    .where('id', '=', (eb) =>
      eb.fn.coalesce(
        sql<number>`${p('personaId')}::bigint`,
        eb
          .selectFrom('personas as own')
          .select('own.id')
          .where('own.workspace_id', '=', p('workspaceId'))
          .where('own.created_by', '=', p('userId'))
          .where('own.deletion_id', 'is', null)
          .orderBy('own.id')
          .limit(sql.lit(1)),
      ),
    )
    .forKeyShare(),
);

type Placed = NewUpload & { readonly personaId: number };

/** The columns in which the uploads of one call differ. */
function columnsOf(uploads: readonly Placed[]) {
  return {
    personaIds: uploads.map(({ personaId }) => personaId),
    tokens: uploads.map(({ token }) => token),
    filenames: uploads.map(({ filename }) => filename),
    partsIds: uploads.map(({ parts }) => parts?.id ?? null),
    partsCounts: uploads.map(({ parts }) => parts?.count ?? null),
  };
}

interface AddedRow {
  readonly persona_id: number;
  readonly token: string;
  readonly filename: string;
  readonly parts_id: string | null;
  readonly parts_count: number | null;
}

const ADD = prepared<NewUpload & ReturnType<typeof columnsOf>>()((p) =>
  insertFrom(
    build.insertInto('uploads'),
    (eb) =>
      eb.selectFrom(
        sql<AddedRow>`unnest(${p('personaIds')}::bigint[], ${p('tokens')}::text[], ${p('filenames')}::text[],
          ${p('partsIds')}::text[], ${p('partsCounts')}::integer[])`.as<'added'>(
          sql`added (persona_id, token, filename, parts_id, parts_count)`,
        ),
      ),
    (eb) => ({
      ...p.columns('workspaceId', 'userId', 'createdAt', 'expiresAt', 'cleanUpAt'),
      state: sql<'allocated'>`'allocated'`,
      persona_id: eb.ref('added.persona_id'),
      token: eb.ref('added.token'),
      filename: eb.ref('added.filename'),
      parts_id: eb.ref('added.parts_id'),
      parts_count: eb.ref('added.parts_count'),
    }),
  ).returning(['id', 'token']),
);

const FIND = prepared<{ workspaceId: number; token: string }>()((p) =>
  UPLOADS.innerJoin('personas', (join) =>
    join.onRef('personas.id', '=', 'uploads.persona_id').on('personas.deletion_id', 'is', null),
  )
    .where('uploads.workspace_id', '=', p('workspaceId'))
    .where('uploads.token', '=', p('token')),
);

const FREEZE = prepared<Pick<FrozenUpload, 'id' | 'frozenKey' | 'size' | 'cleanUpAt'>>()((p) =>
  build
    .updateTable('uploads')
    .set({ state: 'frozen', frozen_key: p('frozenKey'), frozen_size: p('size'), clean_up_at: p('cleanUpAt') })
    .where('id', '=', p('id'))
    .where('state', '=', 'allocated')
    .returning('id'),
);

const THAW = prepared<Pick<FrozenUpload, 'id' | 'frozenKey'>>()((p) =>
  build
    .updateTable('uploads')
    .set({ state: 'allocated', frozen_key: null, frozen_size: null })
    .where('id', '=', p('id'))
    .where('state', '=', 'frozen')
    .where('frozen_key', '=', p('frozenKey')),
);

type FinalizationValues = Finalization['file'] &
  Pick<FrozenUpload, 'id' | 'frozenKey' | 'cleanUpAt'> & { readonly quotas: string };

// A row without a file: it does not fit.
const FINALIZE = prepared<FinalizationValues>()((p) =>
  build
    .with('upload', (db) =>
      db
        .selectFrom('uploads')
        .innerJoin('personas', (join) =>
          join.onRef('personas.id', '=', 'uploads.persona_id').on('personas.deletion_id', 'is', null),
        )
        .select(['uploads.workspace_id', 'uploads.persona_id'])
        .where('uploads.id', '=', p('id'))
        .where('uploads.state', '=', 'frozen')
        .where('uploads.frozen_key', '=', p('frozenKey'))
        .forUpdate('uploads')
        .forKeyShare('personas'),
    )
    .with('space', () => spaceFor(sql`(select workspace_id from upload)`, p('size'), p('quotas')))
    .with('file', (db) =>
      insertFrom(
        db.insertInto('files'),
        (eb) => eb.selectFrom('upload').where((where) => where.exists(where.selectFrom('space'))),
        (eb) => ({
          workspace_id: eb.ref('upload.workspace_id'),
          persona_id: eb.ref('upload.persona_id'),
          ...p.columns(...NEW_FILE),
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
          clean_up_at: p('cleanUpAt'),
        }))
        .where('uploads.id', '=', p('id')),
    )
    .selectFrom('upload')
    .leftJoin('file', (join) => join.onTrue())
    .selectAll('file'),
);

const TAKE_DUE = prepared<{ dueBy: Date; limit: number }>()((p) =>
  UPLOADS.where('uploads.clean_up_at', '<=', p('dueBy'))
    .orderBy('uploads.clean_up_at')
    .orderBy('uploads.id')
    .limit(p('limit'))
    .forUpdate('uploads')
    .skipLocked(),
);

// The persona is not restored meanwhile.
const TAKE_OF_PERSONA = prepared<{ personaId: number; limit: number }>()((p) =>
  UPLOADS.innerJoin('personas', (join) =>
    join.onRef('personas.id', '=', 'uploads.persona_id').on('personas.deletion_id', 'is not', null),
  )
    .where('uploads.persona_id', '=', p('personaId'))
    .orderBy('uploads.id')
    .limit(p('limit'))
    .forUpdate('uploads')
    .forShare('personas')
    .skipLocked(),
);

const SETTLE = prepared<{ ids: readonly number[] }>()((p) =>
  build
    .with('dropped', (db) =>
      db
        .deleteFrom('uploads')
        .where('id', '=', anyOf(p('ids')))
        .where('state', '<>', 'finalized'),
    )
    .updateTable('uploads')
    .set({ clean_up_at: null })
    .where('id', '=', anyOf(p('ids')))
    .where('state', '=', 'finalized'),
);

const DROP = prepared<{ ids: readonly number[] }>()((p) =>
  build.deleteFrom('uploads').where('id', '=', anyOf(p('ids'))),
);
