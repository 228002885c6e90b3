import { sql, type RawBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import {
  inputSetOf,
  placesOf,
  type Claimed,
  type EndedGeneration,
  type GenerationRequest,
  type GenerationState,
  type GenerationStore,
  type InputSource,
  type Output,
  type OutputThumbnail,
  type Queued,
  type Running,
  type SavedEnd,
  type SubmissionState,
} from '#generation';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared, type Prepared } from '../prepared.ts';
import { fieldsOf, insertFrom } from '../shapes.ts';
import { notifyChange } from './generation-signals.ts';
import { submissionIn, submissionOf } from './submission-store.ts';

const REQUEST = [
  'workspaceId',
  'userId',
  'personaId',
  'model',
  'kind',
  'prompt',
  'parameters',
  'imageUrl',
  'imageKey',
  'imageFileId',
  'styleUrl',
  'styleKey',
  'styleFileId',
  'webhook',
  'cost',
  'createdAt',
] as const;

export const GENERATION = fieldsOf('generations', ['id', 'state', 'attempt', 'startedAt', 'progress', ...REQUEST]);

/** The inputs that have no columns of their own, in the order of references. */
export function furtherInputsOf(generationId: 'generations.id' | 'changed.id') {
  const ofGeneration = build
    .selectFrom('generation_inputs as i')
    .select(['i.input', 'i.position', 'i.url', 'i.key', 'i.file_id as fileId'])
    .where('i.generation_id', '=', sql.ref<number>(generationId))
    .orderBy('i.position');
  return jsonArrayFrom(ofGeneration).as('furtherInputs');
}

const notify = notifyChange.as('notified');

const lockGeneration = prepared<{ id: number; workspaceId: number | null }>()((param) =>
  build
    .selectFrom('generations')
    .select(GENERATION)
    .select(furtherInputsOf('generations.id'))
    .where('id', '=', param('id'))
    .where('workspace_id', '=', sql<number>`coalesce(${param('workspaceId')}, workspace_id)`)
    .forNoKeyUpdate(),
);

const selectGeneration = prepared<{ id: number }>()((param) =>
  build
    .selectFrom('generations')
    .select(GENERATION)
    .select(furtherInputsOf('generations.id'))
    .where('id', '=', param('id')),
);

type Row = typeof lockGeneration extends Prepared<never, infer Row> ? Row : never;
type RequestRow = Pick<Row, (typeof REQUEST)[number]>;
type FurtherInput = Row['furtherInputs'][number];
type Run = Pick<Row, 'id' | 'attempt'>;

const inputRows = (json: RawBuilder<string>) =>
  sql<FurtherInput>`jsonb_to_recordset(${json}::jsonb)`.as<'further'>(
    sql`further (input text, position smallint, url text, key text, "fileId" bigint)`,
  );

const insertGeneration = prepared<RequestRow & { furtherInputs: string }>()((param) =>
  build
    .with('added', (db) =>
      insertFrom(
        db.insertInto('generations'),
        (eb) =>
          eb
            .selectFrom('memberships')
            .where('workspace_id', '=', param('workspaceId'))
            .where('user_id', '=', param('userId'))
            .forKeyShare(),
        () => ({ state: 'queued' as const, ...param.columns(...REQUEST) }),
      ).returning('id'),
    )
    .with('inputs', (db) =>
      insertFrom(
        db.insertInto('generation_inputs'),
        (eb) => eb.selectFrom('added').innerJoin(inputRows(param('furtherInputs')), (join) => join.onTrue()),
        (row) => ({
          generation_id: row.ref('added.id'),
          input: row.ref('further.input'),
          position: row.ref('further.position'),
          url: row.ref('further.url'),
          key: row.ref('further.key'),
          file_id: row.ref('further.fileId'),
        }),
      ),
    )
    .selectFrom('added')
    .select('id'),
);

const claimGeneration = prepared<Run & { at: Date }>()((param) =>
  build
    .with('changed', (db) =>
      db
        .updateTable('generations')
        .set({
          state: 'running',
          attempt: param('attempt'),
          // What a provider works on goes on.
          progress: sql<number>`case when exists (select from submissions where generation_id = generations.id)
            then progress else 0 end`,
          started_at: sql<Date>`coalesce(started_at, ${param('at')})`,
        })
        .where('id', '=', param('id'))
        .where('attempt', '<', param('attempt'))
        .where('state', 'in', ['queued', 'running'])
        .returning(GENERATION),
    )
    .selectFrom('changed')
    .selectAll()
    .select((eb) => [
      furtherInputsOf('changed.id'),
      eb
        .exists(eb.selectFrom('personas').whereRef('id', '=', 'changed.personaId').where('deletion_id', 'is', null))
        .as('hasPersona'),
      submissionOf('changed.id'),
      notify,
    ]),
);

const selectCurrent = prepared<Run>()((param) =>
  build
    .selectFrom('generations')
    .select('id')
    .where('id', '=', param('id'))
    .where('attempt', '=', param('attempt'))
    .where('state', '=', 'running'),
);

const selectOpenById = prepared<{ id: number }>()((param) =>
  build
    .selectFrom('generations')
    .select('id')
    .where('id', '=', param('id'))
    .where('state', 'in', ['queued', 'running']),
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

interface End extends Run {
  readonly state: GenerationState;
  readonly errorCode: string | null;
  readonly error: string | null;
  readonly finishedAt: Date;
  /** Credits charged; `null` when it did not succeed. */
  readonly cost: number | null;
  /** JSON. */
  readonly outputs: string;
  readonly thumbnails: string;
}

const outputRows = (json: RawBuilder<string>) =>
  sql<Output & { readonly position: number }>`jsonb_to_recordset(${json}::jsonb)`.as<'output'>(sql`output (
    position smallint, "fileId" bigint, "contentType" text, width integer, height integer, duration double precision,
    label text, score double precision)`);

const thumbnailRows = (json: RawBuilder<string>) =>
  sql<OutputThumbnail & { readonly position: number }>`jsonb_to_recordset(${json}::jsonb)`.as<'thumbnail'>(
    sql`thumbnail (position smallint, "fileId" bigint, width integer, height integer)`,
  );

const endGeneration = prepared<End>()((param) =>
  build
    .with('changed', (db) =>
      db
        .updateTable('generations')
        .set({
          ...param.columns('state', 'errorCode', 'error', 'finishedAt'),
          cost: sql<number>`coalesce(${param('cost')}::integer, cost)`,
          progress: sql<number>`case when ${param('state')} = 'succeeded' then 1 else progress end`,
          image_file_id: null,
          style_file_id: null,
        })
        .where('id', '=', param('id'))
        .where('attempt', '=', param('attempt'))
        .where('state', 'in', ['queued', 'running'])
        .returning(['id', 'state', 'progress']),
    )
    .with('unreferenced', (db) =>
      db
        .updateTable('generation_inputs')
        .set({ file_id: null })
        .from('changed')
        .whereRef('generation_id', '=', 'changed.id')
        .where('file_id', 'is not', null),
    )
    .with('kept', (db) =>
      insertFrom(
        db.insertInto('generation_outputs'),
        (eb) => eb.selectFrom('changed').innerJoin(outputRows(param('outputs')), (join) => join.onTrue()),
        (row) => ({
          generation_id: row.ref('changed.id'),
          position: row.ref('output.position'),
          file_id: row.ref('output.fileId'),
          content_type: row.ref('output.contentType'),
          width: row.ref('output.width'),
          height: row.ref('output.height'),
          duration: row.ref('output.duration'),
          label: row.ref('output.label'),
          score: row.ref('output.score'),
        }),
      ),
    )
    .with('shown', (db) =>
      insertFrom(
        db.insertInto('generation_thumbnails'),
        (eb) => eb.selectFrom('changed').innerJoin(thumbnailRows(param('thumbnails')), (join) => join.onTrue()),
        (row) => ({
          generation_id: row.ref('changed.id'),
          position: row.ref('thumbnail.position'),
          file_id: row.ref('thumbnail.fileId'),
          width: row.ref('thumbnail.width'),
          height: row.ref('thumbnail.height'),
        }),
      ),
    )
    // The provider has to be told, where it may still work.
    .with('closing', (db) =>
      db
        .updateTable('submissions')
        .from('changed')
        .set({
          state: sql<SubmissionState>`case
            when changed.state <> 'succeeded' and (submissions.state in ('intended', 'unknown', 'submitted')
              or submissions.failure ->> 'code' = 'timed_out')
            then 'canceling' else 'closed' end`,
          next_check_at: null,
        })
        .whereRef('submissions.generation_id', '=', 'changed.id')
        .where('submissions.state', 'not in', ['canceling', 'closed'])
        .returning('submissions.state'),
    )
    .selectFrom('changed')
    .leftJoin('closing', (join) => join.onTrue())
    .select('closing.state as submission')
    .select(notify),
);

const selectOpen = prepared<{ personaId: number }>()((param) =>
  build
    .selectFrom('generations')
    .select('id')
    .where('persona_id', '=', param('personaId'))
    .where('state', 'in', ['queued', 'running'])
    .limit(100),
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
    if (row?.state === 'queued') return { id, attempt: row.attempt, request: toRequest(row), state: 'queued' };
    return row?.state === 'running' ? toRunning(row) : row && { state: row.state };
  }

  async claim(id: number, attempt: number, at: Date): Promise<Claimed | null> {
    const row = await this.database.one(claimGeneration, { id, attempt, at });
    return (
      row && { ...toRunning(row), hasPersona: row.hasPersona as boolean, submission: submissionIn(row.submission) }
    );
  }

  async requestOf(id: number): Promise<GenerationRequest | null> {
    const row = await this.database.one(selectGeneration, { id });
    return row && toRequest(row);
  }

  isCurrent(running: Running): Promise<boolean> {
    return this.database.any(selectCurrent, running);
  }

  isOpen(id: number): Promise<boolean> {
    return this.database.any(selectOpenById, { id });
  }

  progress(running: Running, fraction: number): Promise<boolean> {
    return this.database.any(updateProgress, { ...running, progress: fraction });
  }

  async save(ended: EndedGeneration): Promise<SavedEnd | null> {
    const { code = null, message = null } = ended.state === 'failed' ? ended.error : {};
    const { outputs, cost } = ended.state === 'succeeded' ? ended : { outputs: [], cost: null };
    const rows = outputs.map((output, index) => ({ ...output, position: index + 1 }));
    const thumbnails = rows.flatMap(({ position, thumbnails }) => thumbnails.map((each) => ({ ...each, position })));
    const saved = await this.database.one(endGeneration, {
      ...ended,
      errorCode: code,
      error: message,
      cost,
      outputs: JSON.stringify(rows),
      thumbnails: JSON.stringify(thumbnails),
    });
    return saved && { hasToCancel: saved.submission === 'canceling' };
  }

  async openOf(personaId: number): Promise<readonly number[]> {
    return (await this.database.run(selectOpen, { personaId })).map(({ id }) => id);
  }
}

/** Maps a row whose state is `running`. */
function toRunning(row: Row): Running {
  const { id, attempt, progress, startedAt } = row;
  return { id, attempt, request: toRequest(row), state: 'running', startedAt: startedAt!, progress };
}

export function toRequest(row: RequestRow & { readonly furtherInputs: readonly FurtherInput[] }): GenerationRequest {
  const { workspaceId, userId, personaId, model, kind, prompt, parameters, webhook, cost, createdAt } = row;
  const image = { key: row.imageKey, url: row.imageUrl, fileId: row.imageFileId };
  const style = { key: row.styleKey, url: row.styleUrl, fileId: row.styleFileId };
  const further = inputSetOf(row.furtherInputs.map((input) => ({ ...input, picture: toSource(input)! })));
  const inputs = { ...further, image: toSource(image), style: toSource(style) };
  return { workspaceId, userId, personaId, model, kind, prompt, parameters, inputs, webhook, cost, createdAt };
}

function toSource({ key, url, fileId }: Pick<FurtherInput, 'key' | 'url' | 'fileId'>): InputSource | null {
  if (key !== null) return { key, fileId };
  return url === null ? null : { url, fileId: null };
}

const NO_SOURCE = { key: null, url: null, fileId: null };

function fromRequest(request: GenerationRequest): RequestRow & { readonly furtherInputs: string } {
  const { image, style, ...further } = request.inputs;
  const [imageRow, styleRow] = [
    { ...NO_SOURCE, ...image },
    { ...NO_SOURCE, ...style },
  ];
  const places = placesOf({ ...further, image: null, style: null });
  return {
    ...request,
    imageUrl: imageRow.url,
    imageKey: imageRow.key,
    imageFileId: imageRow.fileId,
    styleUrl: styleRow.url,
    styleKey: styleRow.key,
    styleFileId: styleRow.fileId,
    furtherInputs: JSON.stringify(places.map(({ picture, ...place }) => ({ ...place, ...picture }))),
  };
}
