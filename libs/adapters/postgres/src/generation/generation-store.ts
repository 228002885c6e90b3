import { sql, type RawBuilder } from 'kysely';
import type {
  Claimed,
  EndedGeneration,
  GenerationRequest,
  GenerationState,
  GenerationStore,
  Output,
  OutputThumbnail,
  Queued,
  Running,
  SavedEnd,
} from '#generation';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import { insertFrom } from '../shapes.ts';
import {
  fromRequest,
  furtherInputsOf,
  GENERATION,
  REQUEST,
  selectGenerations,
  toRequest,
  type FurtherInput,
  type GenerationRow,
  type RequestRow,
} from './generation-rows.ts';
import { notifyChange } from './generation-signals.ts';
import { submissionIn, submissionOf } from './submission-rows.ts';
import { endSubmissionOf } from './submission-store.ts';

type Run = Pick<GenerationRow, 'id' | 'attempt'>;

const notify = notifyChange.as('notified');

const lockGeneration = prepared<{ id: number; workspaceId: number | null }>()((param) =>
  selectGenerations
    .where('id', '=', param('id'))
    .where('workspace_id', '=', sql<number>`coalesce(${param('workspaceId')}, workspace_id)`)
    .forNoKeyUpdate(),
);

const selectGeneration = prepared<{ id: number }>()((param) => selectGenerations.where('id', '=', param('id')));

const inputRows = (json: RawBuilder<string>) =>
  sql<FurtherInput>`jsonb_to_recordset(${json}::jsonb)`.as<'further'>(
    sql`further (input text, position smallint, url text, key text, "fileId" bigint)`,
  );

/** Who generates is a member of the workspace, until this is committed. */
const insertGeneration = prepared<RequestRow>()((param) =>
  insertFrom(
    build.insertInto('generations'),
    (eb) =>
      eb
        .selectFrom('memberships')
        .where('workspace_id', '=', param('workspaceId'))
        .where('user_id', '=', param('userId'))
        .forKeyShare(),
    () => ({ state: 'queued' as const, ...param.columns(...REQUEST) }),
  ).returning('id'),
);

const insertInputs = prepared<{ id: number; inputs: string }>()((param) =>
  insertFrom(
    build.insertInto('generation_inputs'),
    (eb) => eb.selectFrom(inputRows(param('inputs'))),
    ({ ref }) => ({
      generation_id: param('id'),
      input: ref('further.input'),
      position: ref('further.position'),
      url: ref('further.url'),
      key: ref('further.key'),
      file_id: ref('further.fileId'),
    }),
  ),
);

/** A generation has one current run, that of the latest attempt: earlier ones lose it. */
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
}

/** A generation ends once: what has ended, or has a later attempt, stays as it is. */
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
    .selectFrom('changed')
    .select(notify),
);

/** An ended generation needs its input files no more. */
const releaseInputs = prepared<{ id: number }>()((param) =>
  build
    .updateTable('generation_inputs')
    .set({ file_id: null })
    .where('generation_id', '=', param('id'))
    .where('file_id', 'is not', null),
);

const outputRows = (json: RawBuilder<string>) =>
  sql<Output & { readonly position: number }>`jsonb_to_recordset(${json}::jsonb)`.as<'output'>(sql`output (
    position smallint, "fileId" bigint, "contentType" text, width integer, height integer, duration double precision,
    label text, score double precision)`);

const insertOutputs = prepared<{ id: number; outputs: string }>()((param) =>
  insertFrom(
    build.insertInto('generation_outputs'),
    (eb) => eb.selectFrom(outputRows(param('outputs'))),
    ({ ref }) => ({
      generation_id: param('id'),
      position: ref('output.position'),
      file_id: ref('output.fileId'),
      content_type: ref('output.contentType'),
      width: ref('output.width'),
      height: ref('output.height'),
      duration: ref('output.duration'),
      label: ref('output.label'),
      score: ref('output.score'),
    }),
  ),
);

const thumbnailRows = (json: RawBuilder<string>) =>
  sql<OutputThumbnail & { readonly position: number }>`jsonb_to_recordset(${json}::jsonb)`.as<'thumbnail'>(
    sql`thumbnail (position smallint, "fileId" bigint, width integer, height integer)`,
  );

const insertThumbnails = prepared<{ id: number; thumbnails: string }>()((param) =>
  insertFrom(
    build.insertInto('generation_thumbnails'),
    (eb) => eb.selectFrom(thumbnailRows(param('thumbnails'))),
    ({ ref }) => ({
      generation_id: param('id'),
      position: ref('thumbnail.position'),
      file_id: ref('thumbnail.fileId'),
      width: ref('thumbnail.width'),
      height: ref('thumbnail.height'),
    }),
  ),
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

  add(request: GenerationRequest): Promise<Queued> {
    return this.database.transaction(async () => {
      const { row, furtherInputs } = fromRequest(request);
      const added = await this.database.one(insertGeneration, row);
      if (!added) throw new DomainError('conflict', 'you have left this workspace meanwhile: send the call again');
      const { id } = added;
      if (furtherInputs.length > 0)
        await this.database.run(insertInputs, { id, inputs: JSON.stringify(furtherInputs) });
      return { id, attempt: 0, request, state: 'queued' };
    });
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

  save(ended: EndedGeneration): Promise<SavedEnd | null> {
    return this.database.transaction(async () => {
      const { id } = ended;
      const { code: errorCode = null, message: error = null } = ended.state === 'failed' ? ended.error : {};
      const { outputs, cost } = ended.state === 'succeeded' ? ended : { outputs: [], cost: null };
      if (!(await this.database.any(endGeneration, { ...ended, errorCode, error, cost }))) return null;
      await this.database.run(releaseInputs, { id });
      await this.#addOutputs(id, outputs);
      return { hasToCancel: await endSubmissionOf(this.database, id, ended.state === 'succeeded') };
    });
  }

  async #addOutputs(id: number, outputs: readonly Output[]): Promise<void> {
    if (outputs.length === 0) return;
    const rows = outputs.map((output, index) => ({ ...output, position: index + 1 }));
    await this.database.run(insertOutputs, { id, outputs: JSON.stringify(rows) });
    const thumbnails = rows.flatMap(({ position, thumbnails }) => thumbnails.map((each) => ({ ...each, position })));
    if (thumbnails.length > 0) {
      await this.database.run(insertThumbnails, { id, thumbnails: JSON.stringify(thumbnails) });
    }
  }

  async openOf(personaId: number): Promise<readonly number[]> {
    return (await this.database.run(selectOpen, { personaId })).map(({ id }) => id);
  }
}

/** Maps a row whose state is `running`. */
function toRunning(row: GenerationRow): Running {
  const { id, attempt, progress, startedAt } = row;
  return { id, attempt, request: toRequest(row), state: 'running', startedAt: startedAt!, progress };
}
