import { sql, type InferResult, type RawBuilder } from 'kysely';
import {
  slotOf,
  type CreatedTraining,
  type FailedTraining,
  type NewTraining,
  type ProcessedTraining,
  type RemovedTraining,
  type Training,
  type TrainingPlace,
  type TrainingRecord,
  type TrainingStore,
} from '#persona';
import type { Database } from '../database.ts';
import { build, prepared, type Param } from '../prepared.ts';
import { fieldsOf } from '../shapes.ts';
import type { PersonaId } from './persona-store.ts';

export class PostgresTrainings implements TrainingStore {
  constructor(private readonly database: Database) {}

  async add(training: NewTraining): Promise<{ id: number; replaced: RemovedTraining | null }> {
    const { id, replacedId, fileId } = (await this.database.one(ADD, training))!;
    return { id, replaced: replacedId === null ? null : { id: replacedId, fileId } };
  }

  async lock(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null> {
    const values = { workspaceId, personaId, trainingId };
    if (!(await this.database.any(LOCK, values))) return null;
    // A separate statement: the snapshot of the first can be older than the lock, and not have the training's file.
    return trainingRecordOf((await this.database.one(READ_TRAINING, values))!);
  }

  save(training: Training): Promise<RemovedTraining | null> {
    return this.database.one(SAVE, training);
  }

  async findCreated(trainingId: number, pictureVersion: number): Promise<CreatedTraining | null> {
    const row = await this.database.one(FIND_CREATED, { trainingId, pictureVersion });
    const training = row && trainingOf(row);
    return training?.state === 'created' ? training : null;
  }

  end(training: ProcessedTraining | FailedTraining): Promise<boolean> {
    return this.database.any(END, training);
  }

  remove(workspaceId: number, personaId: number, place: TrainingPlace): Promise<RemovedTraining | null> {
    const persona = { workspaceId, personaId };
    return 'slot' in place
      ? this.database.one(REMOVE_FROM_SLOT, { ...persona, ...place })
      : this.database.one(REMOVE, { ...persona, ...place });
  }
}

export interface TrainingId extends PersonaId {
  readonly trainingId: number;
}

/** What a change of a training saves, except for its slot. */
const CHANGED = ['sourceUrl', 'fileId', 'state', 'error', 'extras', 'info', 'pictureVersion'] as const;

const TRAINING = fieldsOf('trainings', ['id', 'workspaceId', 'personaId', 'slot', ...CHANGED, 'createdAt'], 't');

const REMOVED = fieldsOf('trainings', ['id', 'fileId']);

const trainings = build.selectFrom('trainings as t').select(TRAINING);

function trainingOf({ slot, state, fileId, error, ...rest }: InferResult<typeof trainings>[number]): Training {
  const training = { ...rest, slot: slot === null ? null : slotOf(slot) };
  // Check constraints: a training has a file exactly when it is processed, and an error exactly when it failed.
  if (state === 'processed') return { ...training, state, fileId: fileId!, error: null };
  if (state === 'failed') return { ...training, state, fileId: null, error: error! };
  return { ...training, state, fileId: null, error: null };
}

/** Selects trainings as `t` with their files as `f`. */
export function trainingsWithFiles() {
  return build
    .selectFrom('trainings as t')
    .leftJoin('files as f', 'f.id', 't.file_id')
    .select(TRAINING)
    .select(['f.key', 'f.content_type as contentType']);
}

export type TrainingRecordRow = InferResult<ReturnType<typeof trainingsWithFiles>>[number];

export function trainingRecordOf({ key, contentType, ...row }: TrainingRecordRow): TrainingRecord {
  const file = key === null || contentType === null ? null : { key, contentType };
  return { ...trainingOf(row), file };
}

type Slotted = Pick<Training, 'personaId' | 'slot'>;

/** Empties the slot of a training that is to be added or saved. */
function emptySlot(param: Param<Slotted>) {
  return build
    .deleteFrom('trainings')
    .where('persona_id', '=', param('personaId'))
    .where('slot', '=', sql<number>`${param('slot')}::smallint`)
    .returning(REMOVED);
}

/**
 * The slot of a training, once `replaced` is complete: PostgreSQL orders the parts of a statement by such references.
 */
function emptiedSlot(param: Param<Slotted>): RawBuilder<number | null> {
  return sql`(select ${param('slot')}::smallint from (select count(*) from replaced) as emptied)`;
}

const ADD = prepared<NewTraining>()((param) =>
  build
    .with('replaced', () => emptySlot(param))
    .with('added', (db) =>
      db
        .insertInto('trainings')
        .values({ ...param.columns('workspaceId', 'personaId', ...CHANGED, 'createdAt'), slot: emptiedSlot(param) })
        .returning('id'),
    )
    .selectFrom('added')
    .leftJoin('replaced', (join) => join.onTrue())
    .select(['added.id', 'replaced.id as replacedId', 'replaced.fileId']),
);

const SAVE = prepared<Training>()((param) =>
  build
    .with('replaced', () => emptySlot(param).where('id', '<>', param('id')))
    .with('saved', (db) =>
      db
        .updateTable('trainings')
        .set({ ...param.columns(...CHANGED), slot: emptiedSlot(param) })
        .where('id', '=', param('id')),
    )
    .selectFrom('replaced')
    .select(['id', 'fileId']),
);

const LOCK = prepared<TrainingId>()((param) =>
  build
    .selectFrom('personas as p')
    .innerJoin('trainings as t', 't.persona_id', 'p.id')
    .select('t.id')
    .where('t.id', '=', param('trainingId'))
    .where('t.workspace_id', '=', param('workspaceId'))
    .where('p.id', '=', param('personaId'))
    .where('p.deletion_id', 'is', null)
    .forNoKeyUpdate(['p', 't']),
);

export const READ_TRAINING = prepared<TrainingId>()((param) =>
  trainingsWithFiles()
    .innerJoin('personas as p', 'p.id', 't.persona_id')
    .where('p.deletion_id', 'is', null)
    .where('t.id', '=', param('trainingId'))
    .where('t.persona_id', '=', param('personaId'))
    .where('t.workspace_id', '=', param('workspaceId')),
);

const FIND_CREATED = prepared<{ trainingId: number; pictureVersion: number }>()((param) =>
  trainings
    .innerJoin('personas as p', 'p.id', 't.persona_id')
    .where('p.deletion_id', 'is', null)
    .where('t.id', '=', param('trainingId'))
    .where('t.picture_version', '=', param('pictureVersion'))
    .where('t.state', '=', 'created'),
);

const END = prepared<ProcessedTraining | FailedTraining>()((param) =>
  build
    .updateTable('trainings')
    .set(param.columns('state', 'fileId', 'error'))
    .where('id', '=', param('id'))
    .where('picture_version', '=', param('pictureVersion'))
    .where('state', '=', 'created')
    .returning('id'),
);

function remove(param: Param<PersonaId>) {
  return build
    .deleteFrom('trainings')
    .where('persona_id', '=', param('personaId'))
    .where('workspace_id', '=', param('workspaceId'))
    .returning(REMOVED);
}

const REMOVE = prepared<TrainingId>()((param) => remove(param).where('id', '=', param('trainingId')));

const REMOVE_FROM_SLOT = prepared<PersonaId & { slot: number }>()((param) =>
  remove(param).where('slot', '=', param('slot')),
);
