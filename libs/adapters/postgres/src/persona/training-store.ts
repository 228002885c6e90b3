import type { InferResult } from 'kysely';
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
    const replaced = await this.database.one(emptySlot, { ...training, kept: null });
    const { id } = (await this.database.one(insertTraining, training))!;
    return { id, replaced };
  }

  async lock(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null> {
    const values = { workspaceId, personaId, trainingId };
    if (!(await this.database.any(lockTraining, values))) return null;
    // A separate statement: the snapshot of the first can be older than the lock, and not have the training's file.
    return trainingRecordOf((await this.database.one(readTraining, values))!);
  }

  async save(training: Training): Promise<RemovedTraining | null> {
    const replaced = await this.database.one(emptySlot, { ...training, kept: training.id });
    await this.database.run(updateTraining, training);
    return replaced;
  }

  async findCreated(trainingId: number, pictureVersion: number): Promise<CreatedTraining | null> {
    const row = await this.database.one(findCreated, { trainingId, pictureVersion });
    const training = row && trainingOf(row);
    return training?.state === 'created' ? training : null;
  }

  end(training: ProcessedTraining | FailedTraining): Promise<boolean> {
    return this.database.any(endTraining, training);
  }

  remove(workspaceId: number, personaId: number, place: TrainingPlace): Promise<RemovedTraining | null> {
    const persona = { workspaceId, personaId };
    return 'slot' in place
      ? this.database.one(removeFromSlot, { ...persona, ...place })
      : this.database.one(removeTraining, { ...persona, ...place });
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

/**
 * A slot has one training (`trainings_one_per_slot`): it is emptied before another is put into it. The persona is locked,
 * so that those who fill a slot wait for each other, and others see it filled.
 */
const emptySlot = prepared<Pick<Training, 'personaId' | 'slot'> & { readonly kept: number | null }>()((param) =>
  build
    .deleteFrom('trainings')
    .where('persona_id', '=', param('personaId'))
    .where('slot', '=', param('slot'))
    .where('id', 'is distinct from', param('kept'))
    .returning(REMOVED),
);

const insertTraining = prepared<NewTraining>()((param) =>
  build
    .insertInto('trainings')
    .values(param.columns('workspaceId', 'personaId', 'slot', ...CHANGED, 'createdAt'))
    .returning('id'),
);

const updateTraining = prepared<Training>()((param) =>
  build
    .updateTable('trainings')
    .set(param.columns('slot', ...CHANGED))
    .where('id', '=', param('id')),
);

const lockTraining = prepared<TrainingId>()((param) =>
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

export const readTraining = prepared<TrainingId>()((param) =>
  trainingsWithFiles()
    .innerJoin('personas as p', 'p.id', 't.persona_id')
    .where('p.deletion_id', 'is', null)
    .where('t.id', '=', param('trainingId'))
    .where('t.persona_id', '=', param('personaId'))
    .where('t.workspace_id', '=', param('workspaceId')),
);

const findCreated = prepared<{ trainingId: number; pictureVersion: number }>()((param) =>
  trainings
    .innerJoin('personas as p', 'p.id', 't.persona_id')
    .where('p.deletion_id', 'is', null)
    .where('t.id', '=', param('trainingId'))
    .where('t.picture_version', '=', param('pictureVersion'))
    .where('t.state', '=', 'created'),
);

/** A training ends once, and only while it has the picture that was copied. */
const endTraining = prepared<ProcessedTraining | FailedTraining>()((param) =>
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

const removeTraining = prepared<TrainingId>()((param) => remove(param).where('id', '=', param('trainingId')));

const removeFromSlot = prepared<PersonaId & { slot: number }>()((param) =>
  remove(param).where('slot', '=', param('slot')),
);
