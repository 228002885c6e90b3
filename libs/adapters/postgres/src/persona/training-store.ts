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
import { addToLibrary } from '../library/library-rows.ts';
import { build, prepared, type Param } from '../prepared.ts';
import { Training as TrainingTable } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';
import type { PersonaId } from './persona-store.ts';

export class PostgresTrainings implements TrainingStore {
  constructor(private readonly database: Database) {}

  async add(training: NewTraining): Promise<{ id: number; replaced: RemovedTraining | null }> {
    const replaced = await this.database.one(emptySlot, { ...training, kept: null });
    const id = await this.database.em.insert(TrainingTable, training);
    await addToLibrary(this.database, [training.fileId]);
    return { id, replaced };
  }

  async lock(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null> {
    const values = { workspaceId, personaId, trainingId };
    if (!(await this.database.any(lockTraining, values))) return null;
    // A separate statement: the snapshot of the first may be older than the lock, without the training's file.
    return trainingRecordOf((await this.database.one(readTraining, values))!);
  }

  async save(training: Training): Promise<RemovedTraining | null> {
    const replaced = await this.database.one(emptySlot, { ...training, kept: training.id });
    const { id, slot, sourceUrl, fileId, state, error, extras, info, pictureVersion } = training;
    const changed = { slot, sourceUrl, fileId, state, error, extras, info, pictureVersion };
    await this.database.em.nativeUpdate(TrainingTable, { id }, changed);
    await addToLibrary(this.database, [fileId]);
    return replaced;
  }

  async findCreated(trainingId: number, pictureVersion: number): Promise<CreatedTraining | null> {
    const row = await this.database.one(findCreated, { trainingId, pictureVersion });
    const training = row && trainingOf(row);
    return training?.state === 'created' ? training : null;
  }

  /** A training ends once, and only while it has the picture that was copied. */
  async end({ id, pictureVersion, state, fileId, error }: ProcessedTraining | FailedTraining): Promise<boolean> {
    const created = { id, pictureVersion, state: 'created' } as const;
    const hasEnded = (await this.database.em.nativeUpdate(TrainingTable, created, { state, fileId, error })) === 1;
    if (hasEnded) await addToLibrary(this.database, [fileId]);
    return hasEnded;
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

const TRAINING = [
  ...fieldsOf('trainings', ['id', 'workspaceId', 'personaId', 'slot', 'sourceUrl', 'fileId', 'state', 'error'], 't'),
  ...fieldsOf('trainings', ['extras', 'info', 'createdAt', 'pictureVersion'], 't'),
] as const;

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
 * A slot has one training (`trainings_one_per_slot`): it is emptied before it is filled. The caller has locked the
 * persona, so that concurrent calls that fill a slot wait for each other.
 */
const emptySlot = prepared<Pick<Training, 'personaId' | 'slot'> & { readonly kept: number | null }>()((param) =>
  build
    .deleteFrom('trainings')
    .where((eb) => eb.and({ persona_id: param('personaId'), slot: param('slot') }))
    .where('id', 'is distinct from', param('kept'))
    .returning(REMOVED),
);

const lockTraining = prepared<TrainingId>()((param) =>
  build
    .selectFrom('personas as p')
    .innerJoin('trainings as t', 't.persona_id', 'p.id')
    .select('t.id')
    .where((eb) =>
      eb.and({
        't.id': param('trainingId'),
        't.workspace_id': param('workspaceId'),
        'p.id': param('personaId'),
        'p.deletion_id': null,
      }),
    )
    .forNoKeyUpdate(['p', 't']),
);

export const readTraining = prepared<TrainingId>()((param) =>
  trainingsWithFiles()
    .innerJoin('personas as p', 'p.id', 't.persona_id')
    .where((eb) =>
      eb.and({
        'p.deletion_id': null,
        't.id': param('trainingId'),
        't.persona_id': param('personaId'),
        't.workspace_id': param('workspaceId'),
      }),
    ),
);

const findCreated = prepared<{ trainingId: number; pictureVersion: number }>()((param) =>
  trainings
    .innerJoin('personas as p', 'p.id', 't.persona_id')
    .where((eb) =>
      eb.and({
        'p.deletion_id': null,
        't.id': param('trainingId'),
        't.picture_version': param('pictureVersion'),
        't.state': 'created',
      }),
    ),
);

function remove(param: Param<PersonaId>) {
  return build
    .deleteFrom('trainings')
    .where((eb) => eb.and({ persona_id: param('personaId'), workspace_id: param('workspaceId') }))
    .returning(REMOVED);
}

const removeTraining = prepared<TrainingId>()((param) => remove(param).where('id', '=', param('trainingId')));

const removeFromSlot = prepared<PersonaId & { slot: number }>()((param) =>
  remove(param).where('slot', '=', param('slot')),
);
