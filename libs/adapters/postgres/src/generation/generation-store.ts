import { sql, type Selectable } from 'kysely';
import type {
  EndedGeneration,
  GenerationRequest,
  GenerationState,
  GenerationStore,
  InputSource,
  Output,
  Queued,
  Running,
} from '#generation';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { GENERATION_CHANGES } from './generation-signals.ts';

type Row = Pick<Selectable<Tables['generations']>, (typeof GENERATION_COLUMNS)[number]>;
type OutputRow = Pick<Selectable<Tables['generation_outputs']>, (typeof OUTPUT)[number]>;
type NewRow = Omit<Pick<Row, (typeof GIVEN)[number]>, 'parameters'> & {
  readonly workspace_id: number;
  readonly user_id: number;
  /** JSON. */
  readonly parameters: string;
};
type Run = Pick<Row, 'id' | 'attempt'>;

/** Notifies watchers of each row of the CTE `changed`. */
const notify = sql<null>`pg_notify(
  ${sql.lit(GENERATION_CHANGES)},
  json_build_object('id', changed.id, 'state', changed.state, 'progress', changed.progress)::text)`.as('notified');

/** The columns of a new generation, except for its member. */
const GIVEN = [
  'persona_id',
  'model',
  'kind',
  'prompt',
  'parameters',
  'image_url',
  'image_key',
  'image_file_id',
  'style_url',
  'style_key',
  'style_file_id',
  'cost',
  'created_at',
] as const;

export const GENERATION_COLUMNS = [
  'id',
  'workspace_id',
  'user_id',
  'state',
  'attempt',
  'progress',
  'error_code',
  'error',
  'started_at',
  'finished_at',
  ...GIVEN,
] as const;

const insertGeneration = prepared<NewRow>()((param) =>
  build
    .insertInto('generations')
    .columns(['workspace_id', 'user_id', 'state', ...GIVEN])
    .expression((eb) =>
      eb
        .selectFrom('memberships')
        .select(['workspace_id', 'user_id', sql.lit('queued').as('state')])
        .select(GIVEN.map((column) => param(column).as(column)))
        .where('workspace_id', '=', param('workspace_id'))
        .where('user_id', '=', param('user_id'))
        .forKeyShare(),
    )
    .returning('id'),
);

const lockGeneration = prepared<{ id: number; workspaceId: number | null }>()((param) =>
  build
    .selectFrom('generations')
    .select(GENERATION_COLUMNS)
    .where('id', '=', param('id'))
    .where('workspace_id', '=', sql<number>`coalesce(${param('workspaceId')}, workspace_id)`)
    .forNoKeyUpdate(),
);

const claimGeneration = prepared<Run & { at: Date }>()((param) =>
  build
    .with('changed', (db) =>
      db
        .updateTable('generations')
        .set({
          state: 'running',
          attempt: param('attempt'),
          progress: 0,
          started_at: sql<Date>`coalesce(started_at, ${param('at')})`,
        })
        .where('id', '=', param('id'))
        .where('attempt', '<', param('attempt'))
        .where('state', 'in', ['queued', 'running'])
        .returning(GENERATION_COLUMNS),
    )
    .with(
      (cte) => cte('notified').materialized(),
      (db) => db.selectFrom('changed').select(notify),
    )
    .selectFrom(['changed', 'notified'])
    .selectAll('changed'),
);

const selectCurrent = prepared<Run>()((param) =>
  build
    .selectFrom('generations')
    .select('id')
    .where('id', '=', param('id'))
    .where('attempt', '=', param('attempt'))
    .where('state', '=', 'running'),
);

const updateProgress = prepared<Run & { progress: number }>()((param) =>
  build
    .with('changed', (db) =>
      db
        .updateTable('generations')
        .set({ progress: param('progress') })
        .where('id', '=', param('id'))
        .where('attempt', '=', param('attempt'))
        .where('state', '=', 'running')
        .returning(['id', 'state', 'progress']),
    )
    .selectFrom('changed')
    .select(notify),
);

const OUTPUT = ['position', 'file_id', 'content_type', 'width', 'height', 'duration'] as const;

const endGeneration = prepared<
  Run & {
    state: GenerationState;
    error_code: string | null;
    error: string | null;
    finished_at: Date;
    /** JSON of output rows. */
    outputs: string;
  }
>()((param) =>
  build
    .with('changed', (db) =>
      db
        .updateTable('generations')
        .set({
          state: param('state'),
          progress: sql<number>`case when ${param('state')} = 'succeeded' then 1 else progress end`,
          error_code: param('error_code'),
          error: param('error'),
          finished_at: param('finished_at'),
          image_file_id: null,
          style_file_id: null,
        })
        .where('id', '=', param('id'))
        .where('attempt', '=', param('attempt'))
        .where('state', 'in', ['queued', 'running'])
        .returning(['id', 'state', 'progress']),
    )
    .with('kept', (db) =>
      db
        .insertInto('generation_outputs')
        .columns(['generation_id', ...OUTPUT])
        .expression((eb) =>
          eb
            .selectFrom([
              'changed',
              sql<OutputRow>`jsonb_to_recordset(${param('outputs')}::jsonb)`.as<'output'>(sql`output (
                position smallint, file_id bigint, content_type text, width integer, height integer,
                duration double precision)`),
            ])
            .select('changed.id')
            .select(OUTPUT.map((column) => `output.${column}` as const)),
        ),
    )
    .selectFrom('changed')
    .select(notify),
);

export class PostgresGenerations implements GenerationStore {
  constructor(private readonly database: Database) {}

  async add(request: GenerationRequest): Promise<Queued> {
    const row = await this.database.one(insertGeneration, fromRequest(request));
    if (row) return { id: row.id, attempt: 0, request, state: 'queued' };
    throw new DomainError('conflict', 'you have left this workspace meanwhile: send the call again');
  }

  async lock(id: number, workspaceId: number | null = null): ReturnType<GenerationStore['lock']> {
    const row = await this.database.one(lockGeneration, { id, workspaceId });
    if (row?.state === 'queued') {
      return { id, attempt: row.attempt, request: toRequest(row), state: 'queued' };
    }
    return row?.state === 'running' ? toRunning(row) : row && { state: row.state };
  }

  async claim(id: number, attempt: number, at: Date): Promise<Running | null> {
    const row = await this.database.one(claimGeneration, { id, attempt, at });
    return row && toRunning(row);
  }

  async isCurrent({ id, attempt }: Running): Promise<boolean> {
    return this.database.any(selectCurrent, { id, attempt });
  }

  async progress({ id, attempt }: Running, fraction: number): Promise<boolean> {
    return this.database.any(updateProgress, { id, attempt, progress: fraction });
  }

  async save(ended: EndedGeneration): Promise<boolean> {
    const error = ended.state === 'failed' ? ended.error : null;
    const outputs = ended.state === 'succeeded' ? ended.outputs : [];
    const row = await this.database.one(endGeneration, {
      id: ended.id,
      attempt: ended.attempt,
      state: ended.state,
      error_code: error?.code ?? null,
      error: error?.message ?? null,
      finished_at: ended.finishedAt,
      outputs: JSON.stringify(outputs.map(fromOutput)),
    });
    return row !== null;
  }
}

/** Maps a row whose state is `running`. */
function toRunning(row: Row): Running {
  return { id: row.id, attempt: row.attempt, request: toRequest(row), state: 'running', progress: row.progress };
}

export function toRequest(row: Row): GenerationRequest {
  return {
    workspaceId: row.workspace_id,
    userId: row.user_id,
    personaId: row.persona_id,
    model: row.model,
    kind: row.kind,
    prompt: row.prompt,
    parameters: row.parameters,
    inputs: {
      image: toSource(row.image_key, row.image_url, row.image_file_id),
      styleReference: toSource(row.style_key, row.style_url, row.style_file_id),
    },
    cost: row.cost,
    createdAt: row.created_at,
  };
}

function toSource(key: string | null, url: string | null, fileId: number | null): InputSource | null {
  if (key !== null) return { key, fileId };
  return url === null ? null : { url, fileId: null };
}

function fromRequest(request: GenerationRequest): NewRow {
  const { image, styleReference: style } = request.inputs;
  return {
    workspace_id: request.workspaceId,
    user_id: request.userId,
    persona_id: request.personaId,
    model: request.model,
    kind: request.kind,
    prompt: request.prompt,
    parameters: JSON.stringify(request.parameters),
    image_url: image && 'url' in image ? image.url : null,
    image_key: image && 'key' in image ? image.key : null,
    image_file_id: image?.fileId ?? null,
    style_url: style && 'url' in style ? style.url : null,
    style_key: style && 'key' in style ? style.key : null,
    style_file_id: style?.fileId ?? null,
    cost: request.cost,
    created_at: request.createdAt,
  };
}

function fromOutput({ fileId, contentType, width, height, duration }: Output, index: number): OutputRow {
  return { position: index + 1, file_id: fileId, content_type: contentType, width, height, duration };
}
