import { sql } from 'kysely';
import type {
  Claimed,
  EndedGeneration,
  GenerationRequest,
  GenerationState,
  GenerationStore,
  Output,
  OutputReference,
  Queued,
  Running,
  SavedEnd,
} from '#generation';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { isShownOutput } from '../files/file-rows.ts';
import { build, prepared, snakeCase } from '../prepared.ts';
import { GenerationInput, GenerationOutput } from '../schema.ts';
import { addToLibrary } from '../library/library-rows.ts';
import { insertFrom } from '../shapes.ts';
import {
  fromRequest,
  furtherInputsOf,
  GENERATION,
  REQUEST,
  selectGenerations,
  toRequest,
  trainedStyleOf,
  type GenerationRow,
  type RequestRow,
} from './generation-rows.ts';
import { NOTICE } from '../notices.ts';
import { CHANGED, generationNotice } from '../signals.ts';
import { submissionIn, submissionOf } from './submission-rows.ts';
import { endSubmissionOf } from './submission-store.ts';

type Run = Pick<GenerationRow, 'id' | 'attempt'>;

const notice = generationNotice.as(NOTICE);

const lockGeneration = prepared<{ id: number; workspaceId: number | null }>()((param) =>
  selectGenerations
    .where('id', '=', param('id'))
    .where('workspace_id', '=', sql<number>`coalesce(${param('workspaceId')}, workspace_id)`)
    .forNoKeyUpdate(),
);

const selectGeneration = prepared<{ id: number }>()((param) => selectGenerations.where('id', '=', param('id')));

/** A caller who has left the workspace adds no generation. The lock makes a removal of the member wait. */
const insertGeneration = prepared<RequestRow>()((param) =>
  insertFrom(
    build.insertInto('generations'),
    (eb) =>
      eb
        .selectFrom('memberships')
        .where((eb) => eb.and({ workspace_id: param('workspaceId'), user_id: param('userId') }))
        .forKeyShare(),
    () => ({ state: 'queued' as const, ...param.columns(...REQUEST) }),
  ).returning('id'),
);

/**
 * Adds generations as `insertGeneration` does. The rows are sent as one value: as parameters of their own they would be
 * tens of thousands.
 */
const insertGenerations = prepared<Pick<RequestRow, 'workspaceId' | 'userId'> & { rows: string }>()((param) => {
  const columns = ['state', ...REQUEST.map(snakeCase)];
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const insert = sql<{ id: number }>`
    insert into generations (${names})
    select ${sql.join(columns.map((name) => sql.ref(`row.${name}`)))}
    from (
      select from memberships
      where workspace_id = ${param('workspaceId')} and user_id = ${param('userId')}
      for key share
    ) as member, jsonb_populate_recordset(null::generations, ${param('rows')}::jsonb) as row
    order by row.cell
    returning id`;
  return { compile: () => insert.compile(build) };
});

/** A generation has one current run: a run with a later attempt replaces it. */
const claimGeneration = prepared<Run & { at: Date }>()((param) =>
  build
    .with('changed', (db) =>
      db
        .updateTable('generations')
        .set({
          state: 'running',
          attempt: param('attempt'),
          // A provider may still work on the generation.
          progress: sql<number>`case when exists (select from submissions where generation_id = generations.id)
            then progress else 0 end`,
          started_at: sql<Date>`coalesce(started_at, ${param('at')})`,
        })
        .where('id', '=', param('id'))
        .where('attempt', '<', param('attempt'))
        .where('state', 'in', ['queued', 'running'])
        .returning([...GENERATION, 'generations.batch_id']),
    )
    .selectFrom('changed')
    .selectAll()
    .select((eb) => [
      furtherInputsOf('changed.id'),
      trainedStyleOf('changed.styleId'),
      eb
        .exists(eb.selectFrom('personas').whereRef('id', '=', 'changed.personaId').where('deletion_id', 'is', null))
        .as('hasPersona'),
      submissionOf('changed.id'),
      notice,
    ]),
);

const selectCurrent = prepared<Run>()((param) =>
  build
    .selectFrom('generations')
    .select('id')
    .where((eb) => eb.and({ id: param('id'), attempt: param('attempt'), state: 'running' })),
);

const updateProgress = prepared<Run & { progress: number }>()((param) =>
  build
    .with('changed', (db) =>
      db
        .updateTable('generations')
        .set({ progress: param('progress') })
        .where((eb) => eb.and({ id: param('id'), attempt: param('attempt'), state: 'running' }))
        .returning(CHANGED),
    )
    .selectFrom('changed')
    .select(notice),
);

const selectOutput = prepared<{ workspaceId: number; generationId: number; position: number }>()((param) =>
  build
    .selectFrom('generations')
    .where((eb) => eb.and({ id: param('generationId'), workspace_id: param('workspaceId') }))
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('generation_outputs')
            .innerJoin('files', 'files.id', 'file_id')
            .where((file) => isShownOutput(file as never))
            .whereRef('generation_id', '=', 'generations.id')
            .where('position', '=', param('position')),
        )
        .as('hasOutput'),
    ),
);

interface End extends Run {
  readonly state: GenerationState;
  readonly errorCode: string | null;
  readonly error: string | null;
  readonly finishedAt: Date;
  /** Credits charged; `null` when it did not succeed. */
  readonly cost: number | null;
}

/** A generation ends once, and only its current run ends it. */
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
        .where((eb) => eb.and({ id: param('id'), attempt: param('attempt') }))
        .where('state', 'in', ['queued', 'running'])
        .returning(CHANGED),
    )
    .selectFrom('changed')
    .select(notice),
);

export class PostgresGenerations implements GenerationStore {
  constructor(private readonly database: Database) {}

  add(request: GenerationRequest): Promise<Queued> {
    return this.database.transaction(async () => {
      const { row, furtherInputs } = fromRequest(request);
      const added = await this.database.one(insertGeneration, row);
      if (!added) throw hasLeft();
      const { id } = added;
      const inputs = furtherInputs.map((input) => ({ ...input, generationId: id }));
      if (inputs.length > 0) await this.database.em.insertMany(GenerationInput, inputs);
      return { id, attempt: 0, request, state: 'queued' };
    });
  }

  addAll(requests: readonly GenerationRequest[]): Promise<readonly number[]> {
    return this.database.transaction(async () => {
      const { workspaceId, userId } = requests[0]!;
      const rows = requests.map(fromRequest);
      const json = JSON.stringify(rows.map(({ row }) => columnsOf(row)));
      const added = await this.database.run(insertGenerations, { workspaceId, userId, rows: json });
      if (added.length === 0) throw hasLeft();
      const ids = added.map(({ id }) => id);
      const inputs = rows.flatMap(({ furtherInputs }, index) =>
        furtherInputs.map((input) => ({ ...input, generationId: ids[index]! })),
      );
      if (inputs.length > 0) await this.database.em.insertMany(GenerationInput, inputs);
      return ids;
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

  async isOpen(id: number): Promise<boolean> {
    return (await this.#open().where('id', '=', id).execute()).length > 0;
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
      // An ended generation no longer needs its input files.
      const inputs = { generationId: id, fileId: { $ne: null } };
      await this.database.em.nativeUpdate(GenerationInput, inputs, { fileId: null });
      await this.#addOutputs(id, outputs);
      return { hasToCancel: await endSubmissionOf(this.database, id, ended.state === 'succeeded') };
    });
  }

  async #addOutputs(generationId: number, outputs: readonly Output[]): Promise<void> {
    if (outputs.length === 0) return;
    const rows = outputs.map((output, index) => ({ ...output, generationId, position: index + 1 }));
    await this.database.em.insertMany(GenerationOutput, rows);
    await addToLibrary(
      this.database,
      outputs.map(({ fileId }) => fileId),
    );
  }

  async hasOutput(workspaceId: number, { generationId, output }: OutputReference): Promise<boolean | null> {
    const found = await this.database.one(selectOutput, { workspaceId, generationId, position: output + 1 });
    return found && (found.hasOutput as boolean);
  }

  async openOf(place: Parameters<GenerationStore['openOf']>[0]): Promise<readonly number[]> {
    const ofPlace =
      'personaId' in place
        ? this.#open().where('persona_id', '=', place.personaId)
        : this.#open().where('workspace_id', '=', place.workspaceId);
    return (await ofPlace.limit(100).execute()).map(({ id }) => id);
  }

  #open() {
    return this.database.kysely.selectFrom('generations').select('id').where('state', 'in', ['queued', 'running']);
  }
}

function hasLeft(): DomainError {
  return new DomainError('conflict', 'you have left this workspace meanwhile: send the call again');
}

/** A queued generation by its columns, as JSON. */
function columnsOf(row: RequestRow): Record<string, unknown> {
  return Object.fromEntries([['state', 'queued'], ...REQUEST.map((name) => [snakeCase(name), row[name]])]);
}

/** Maps a row whose state is `running`. */
function toRunning(row: GenerationRow): Running {
  const { id, attempt, progress, startedAt } = row;
  return { id, attempt, request: toRequest(row), state: 'running', startedAt: startedAt!, progress };
}
