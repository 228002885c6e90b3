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
import { Batches } from '../batches.ts';
import type { Database } from '../database.ts';
import { stillActs } from '../identity/postgres-tokens.ts';
import { anyOf, build, prepared, snakeCase, type SnakeCase } from '../prepared.ts';
import { fieldsOf, insertFrom } from '../shapes.ts';
import { FILE, isFile, NEW_FILE } from './file-rows.ts';
import { spaceFor } from './storage-space.ts';

export class PostgresUploadRecords implements UploadRecords {
  /** Calls that come while uploads are added share the next statement. */
  private readonly calls = new Batches((calls: readonly AllocationCall[]) => this.allocateAll(calls));

  readonly #quotas: string;

  /** @param quotas by plan; none by default */
  constructor(
    private readonly database: Database,
    quotas: StorageQuotas = {},
  ) {
    this.#quotas = JSON.stringify(quotas);
  }

  async allocate(uploads: readonly NewUpload[], tokenId: number | null): Promise<AllocationResult> {
    const call = { uploads, tokenId };
    // What others want to be added must not depend on a transaction.
    return this.database.isInTransaction ? (await this.allocateAll([call]))[0]! : this.calls.add(call);
  }

  private async allocateAll(calls: readonly AllocationCall[]): Promise<readonly AllocationResult[]> {
    const asked = calls.flatMap(({ uploads, tokenId }, call) => uploads.map((each) => askedOf(each, call, tokenId)));
    const rows = await this.database.run(ALLOCATE, columnsOf(asked));
    let next = 0;
    return calls.map(({ uploads }) => resultOf(uploads, rows.slice(next, (next += uploads.length))));
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

interface AllocationCall {
  readonly uploads: readonly NewUpload[];
  readonly tokenId: number | null;
}

type AllocationResult = Awaited<ReturnType<UploadRecords['allocate']>>;

/** An upload to be added, as a row. */
function askedOf({ parts, ...upload }: NewUpload, call: number, tokenId: number | null) {
  return { ...upload, call, tokenId, partsId: parts?.id ?? null, partsCount: parts?.count ?? null };
}

type Asked = ReturnType<typeof askedOf>;

/** The columns of the rows to be added, with their types. */
const ASKED = {
  call: 'int',
  tokenId: 'bigint',
  workspaceId: 'bigint',
  userId: 'bigint',
  personaId: 'bigint',
  token: 'text',
  filename: 'text',
  partsId: 'text',
  partsCount: 'int',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  cleanUpAt: 'timestamptz',
} as const satisfies Record<keyof Asked, string>;

const ASKED_NAMES = Object.keys(ASKED) as (keyof Asked)[];

type AskedColumns = { readonly [Name in keyof Asked]: readonly Asked[Name][] };

function columnsOf(rows: readonly Asked[]): AskedColumns {
  return Object.fromEntries(ASKED_NAMES.map((name) => [name, rows.map((row) => row[name])])) as unknown as AskedColumns;
}

function resultOf(
  uploads: readonly NewUpload[],
  rows: readonly { readonly id: number | null; readonly personaId: number | null }[],
): AllocationResult {
  const missing = rows.flatMap(({ personaId }, index) => (personaId === null ? [index] : []));
  if (missing.length > 0) return { missing };
  return uploads.map((upload, index) => {
    const { id, personaId } = rows[index]!;
    return { ...upload, id: id!, personaId: personaId!, state: 'allocated' };
  });
}

/** What each row of `asked` is with the persona that it goes to. */
type Placed = { readonly [Name in keyof Asked as SnakeCase<Name>]: Asked[Name] } & {
  readonly position: number;
  readonly persona: number | null;
  /** Whether all of its call have one. */
  readonly is_whole: boolean;
};

/** The check of a unit of work, for the caller of a row. */
const STILL_ACTS = stillActs(
  sql.ref<number | null>('asked.token_id'),
  sql.ref<number>('asked.workspace_id'),
  sql.ref<Date>('asked.created_at'),
);

// The persona is locked as the foreign key does anyway: so a deletion is seen.
const ALLOCATE = prepared<AskedColumns>()((p) =>
  build
    .with(
      'placed',
      () => sql<Placed>`(
        select asked.*, persona.id as persona
        from unnest(${sql.join(ASKED_NAMES.map((name) => sql`${p(name)}::${sql.raw(ASKED[name])}[]`))}) with ordinality
          as asked (${sql.raw([...ASKED_NAMES.map(snakeCase), 'position'].join(', '))})
        left join lateral (
          select id from personas
          where id = coalesce(asked.persona_id, (
              select id from personas
              where workspace_id = asked.workspace_id and created_by = asked.user_id and deletion_id is null
              order by id limit 1))
            and workspace_id = asked.workspace_id and deletion_id is null
            and ${STILL_ACTS}
          limit 1 for key share) persona on true)`,
    )
    .with(
      'whole',
      () => sql<Placed>`(
      select *, bool_and(persona is not null) over (partition by call) as is_whole from placed)`,
    )
    .with('added', (db) =>
      insertFrom(
        db.insertInto('uploads'),
        (eb) => eb.selectFrom('whole').where('whole.is_whole', '=', true).orderBy('whole.position'),
        (eb) => ({
          persona_id: eb.ref('whole.persona').$notNull(),
          state: eb.val('allocated' as const),
          workspace_id: eb.ref('whole.workspace_id'),
          user_id: eb.ref('whole.user_id'),
          token: eb.ref('whole.token'),
          filename: eb.ref('whole.filename'),
          created_at: eb.ref('whole.created_at'),
          expires_at: eb.ref('whole.expires_at'),
          clean_up_at: eb.ref('whole.clean_up_at'),
          parts_id: eb.ref('whole.parts_id'),
          parts_count: eb.ref('whole.parts_count'),
        }),
      ).returning(['id', 'token']),
    )
    .selectFrom('whole')
    .leftJoin('added', 'added.token', 'whole.token')
    .select(['added.id', 'whole.persona as personaId'])
    .orderBy('whole.position'),
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

const TAKE_OF_PERSONA = prepared<{ personaId: number; limit: number }>()((p) =>
  UPLOADS.where('uploads.persona_id', '=', p('personaId'))
    .orderBy('uploads.id')
    .limit(p('limit'))
    .forUpdate('uploads')
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
