import { sql, type RawBuilder } from 'kysely';
import type {
  CreatedTraining,
  FailedTraining,
  NewTraining,
  ProcessedTraining,
  RemovedTraining,
  Training,
  TrainingPlace,
  TrainingRecord,
  TrainingStore,
} from '#persona';
import type { Database } from '../database.ts';
import { build, prepared, type Param } from '../prepared.ts';
import {
  TRAINING,
  trainingOf,
  trainingRecordOf,
  trainingsWithFiles,
  type PersonaId,
  type TrainingId,
} from './persona-rows.ts';

export class PostgresTrainings implements TrainingStore {
  constructor(private readonly database: Database) {}

  async add(training: NewTraining): Promise<{ id: number; replaced: RemovedTraining | null }> {
    const { id, replaced_id, replaced_file_id } = (await this.database.one(ADD, training))!;
    return { id, replaced: replaced_id === null ? null : { id: replaced_id, fileId: replaced_file_id } };
  }

  async lock(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null> {
    const values = { workspaceId, personaId, trainingId };
    if (!(await this.database.one(LOCK, values))) return null;
    // A separate statement: the snapshot of the first can be older than the lock, and not have the training's file.
    return trainingRecordOf((await this.database.one(READ_TRAINING, values))!);
  }

  async save(training: Training): Promise<RemovedTraining | null> {
    return removedOf(await this.database.one(SAVE, training));
  }

  async findCreated(trainingId: number, pictureVersion: number): Promise<CreatedTraining | null> {
    const row = await this.database.one(FIND_CREATED, { trainingId, pictureVersion });
    const training = row && trainingOf(row);
    return training?.state === 'created' ? training : null;
  }

  async end(training: ProcessedTraining | FailedTraining): Promise<boolean> {
    return (await this.database.one(END, training)) !== null;
  }

  async remove(workspaceId: number, personaId: number, place: TrainingPlace): Promise<RemovedTraining | null> {
    const persona = { workspaceId, personaId };
    return removedOf(
      await ('slot' in place
        ? this.database.one(REMOVE_FROM_SLOT, { ...persona, ...place })
        : this.database.one(REMOVE, { ...persona, ...place })),
    );
  }
}

function removedOf(row: { id: number; file_id: number | null } | null): RemovedTraining | null {
  return row && { id: row.id, fileId: row.file_id };
}

type Slotted = Pick<Training, 'personaId' | 'slot'>;

/** Empties the slot of a training that is to be added or saved. */
function emptySlot(param: Param<Slotted>) {
  return build
    .deleteFrom('trainings')
    .where('persona_id', '=', param('personaId'))
    .where('slot', '=', sql<number>`${param('slot')}::smallint`)
    .returning(['id', 'file_id']);
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
        .values({
          workspace_id: param('workspaceId'),
          persona_id: param('personaId'),
          slot: emptiedSlot(param),
          source_url: param('sourceUrl'),
          file_id: param('fileId'),
          state: param('state'),
          extras: param('extras'),
          info: param('info'),
          created_at: param('createdAt'),
          picture_version: param('pictureVersion'),
        })
        .returning('id'),
    )
    .selectFrom('added')
    .leftJoin('replaced', (join) => join.onTrue())
    .select(['added.id', 'replaced.id as replaced_id', 'replaced.file_id as replaced_file_id']),
);

const SAVE = prepared<Training>()((param) =>
  build
    .with('replaced', () => emptySlot(param).where('id', '<>', param('id')))
    .with('saved', (db) =>
      db
        .updateTable('trainings')
        .set({
          slot: emptiedSlot(param),
          source_url: param('sourceUrl'),
          file_id: param('fileId'),
          state: param('state'),
          error: param('error'),
          extras: param('extras'),
          info: param('info'),
          picture_version: param('pictureVersion'),
        })
        .where('id', '=', param('id')),
    )
    .selectFrom('replaced')
    .select(['id', 'file_id']),
);

const LOCK = prepared<TrainingId>()((param) =>
  build
    .selectFrom('personas as p')
    .innerJoin('trainings as t', 't.persona_id', 'p.id')
    .select('t.id')
    .where('t.id', '=', param('trainingId'))
    .where('t.workspace_id', '=', param('workspaceId'))
    .where('p.id', '=', param('personaId'))
    .where('p.deleted_at', 'is', null)
    .forNoKeyUpdate(['p', 't']),
);

export const READ_TRAINING = prepared<TrainingId>()((param) =>
  trainingsWithFiles()
    .where('t.id', '=', param('trainingId'))
    .where('t.persona_id', '=', param('personaId'))
    .where('t.workspace_id', '=', param('workspaceId')),
);

const FIND_CREATED = prepared<{ trainingId: number; pictureVersion: number }>()((param) =>
  build
    .selectFrom('trainings as t')
    .select(TRAINING)
    .where('t.id', '=', param('trainingId'))
    .where('t.picture_version', '=', param('pictureVersion'))
    .where('t.state', '=', 'created'),
);

const END = prepared<ProcessedTraining | FailedTraining>()((param) =>
  build
    .updateTable('trainings')
    .set({ state: param('state'), file_id: param('fileId'), error: param('error') })
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
    .returning(['id', 'file_id']);
}

const REMOVE = prepared<TrainingId>()((param) => remove(param).where('id', '=', param('trainingId')));

const REMOVE_FROM_SLOT = prepared<PersonaId & { slot: number }>()((param) =>
  remove(param).where('slot', '=', param('slot')),
);
