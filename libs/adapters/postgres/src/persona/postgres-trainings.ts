import { pageOf, type Page, type PageRequest } from '#kernel';
import type {
  CreatedTraining,
  FailedTraining,
  NewTraining,
  ProcessedTraining,
  RemovedTraining,
  Training,
  TrainingKind,
  TrainingPlace,
  TrainingRecord,
  Trainings,
} from '#persona';
import type { Database } from '../database.ts';

export class PostgresTrainings implements Trainings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(training: NewTraining): Promise<{ id: number; replaced: RemovedTraining | null }> {
    const added = await this.#database.one<{
      id: number;
      replacedId: number | null;
      replacedFileId: number | null;
    }>(ADD, [
      training.workspaceId,
      training.personaId,
      training.slot,
      training.sourceUrl,
      training.fileId,
      training.state,
      training.extras,
      training.info,
      training.createdAt,
      training.pictureVersion,
    ]);
    const { id, replacedId, replacedFileId } = added!;
    return { id, replaced: replacedId === null ? null : { id: replacedId, fileId: replacedFileId } };
  }

  hold(workspaceId: number, personaId: number, trainingId: number): Promise<Training | null> {
    return this.#database.one<Training>(HOLD, [workspaceId, personaId, trainingId]);
  }

  save(training: Training): Promise<RemovedTraining | null> {
    return this.#database.one<RemovedTraining>(SAVE, [
      training.id,
      training.personaId,
      training.slot,
      training.sourceUrl,
      training.fileId,
      training.state,
      training.error,
      training.extras,
      training.info,
      training.pictureVersion,
    ]);
  }

  async settle({
    id,
    pictureVersion,
    state,
    fileId,
    error,
  }: ProcessedTraining | FailedTraining): Promise<boolean> {
    return (await this.#database.one(SETTLE, [id, pictureVersion, state, fileId, error])) !== null;
  }

  findUnsettled(trainingId: number, pictureVersion: number): Promise<CreatedTraining | null> {
    return this.#database.one<CreatedTraining>(FIND_UNSETTLED, [trainingId, pictureVersion]);
  }

  remove(workspaceId: number, personaId: number, place: TrainingPlace): Promise<RemovedTraining | null> {
    return 'slot' in place
      ? this.#database.one<RemovedTraining>(REMOVE_FROM_SLOT, [workspaceId, personaId, place.slot])
      : this.#database.one<RemovedTraining>(REMOVE, [workspaceId, personaId, place.trainingId]);
  }

  read(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null> {
    return this.#database.one<TrainingRecord>(READ, [workspaceId, personaId, trainingId]);
  }

  async exists(workspaceId: number, trainingId: number): Promise<boolean> {
    return (await this.#database.one(EXISTS, [workspaceId, trainingId])) !== null;
  }

  async list(
    workspaceId: number,
    personaId: number,
    kind: TrainingKind | null,
    { limit, after }: PageRequest,
  ): Promise<Page<TrainingRecord> | null> {
    const values = [workspaceId, personaId, after, limit === null ? null : limit + 1];
    const rows = await this.#database.query<TrainingRecord | NoTraining>(LISTS[kind ?? 'all'], values);
    if (rows.length === 0) return null;
    const trainings = rows.filter((row): row is TrainingRecord => row.id !== null);
    return pageOf(trainings, limit, (training) => training.id);
  }
}

/** The one row of a persona that has nothing to list. */
interface NoTraining {
  readonly id: null;
}

const TRAINING = `t.id, t.workspace_id as "workspaceId", t.persona_id as "personaId", t.slot,
  t.source_url as "sourceUrl", t.file_id as "fileId", t.state, t.error, t.extras, t.info,
  t.created_at as "createdAt", t.picture_version as "pictureVersion"`;

const THE_TRAINING = `t.id = $3 and t.persona_id = $2 and t.workspace_id = $1`;

// The count makes the slot empty before it is filled.
const ADD = `
  with replaced as (
    delete from trainings where persona_id = $2 and slot = $3::smallint returning id, file_id
  ), added as (
    insert into trainings (workspace_id, persona_id, slot, source_url, file_id, state, extras, info, created_at,
      picture_version)
    select $1, $2, $3::smallint, $4, $5::bigint, $6, $7, $8, $9::timestamptz, $10::integer
    from (select count(*) from replaced) emptied
    returning id
  )
  select added.id, replaced.id as "replacedId", replaced.file_id as "replacedFileId"
  from added left join replaced on true`;

const HOLD = `
  select ${TRAINING}
  from personas p join trainings t on t.persona_id = p.id
  where ${THE_TRAINING} and p.id = $2 and p.deleted_at is null
  for no key update of p, t`;

const SAVE = `
  with replaced as (
    delete from trainings where persona_id = $2 and slot = $3::smallint and id <> $1 returning id, file_id
  ), saved as (
    update trainings
    set slot = $3::smallint, source_url = $4, file_id = $5::bigint, state = $6, error = $7, extras = $8, info = $9,
      picture_version = $10::integer
    from (select count(*) from replaced) emptied
    where trainings.id = $1
  )
  select id, file_id as "fileId" from replaced`;

const SETTLE = `
  update trainings set state = $3, file_id = $4, error = $5
  where id = $1 and picture_version = $2 and state = 'created'
  returning id`;

const FIND_UNSETTLED = `
  select ${TRAINING} from trainings t where t.id = $1 and t.picture_version = $2 and t.state = 'created'`;

const REMOVE = `delete from trainings t where ${THE_TRAINING} returning t.id, t.file_id as "fileId"`;

const REMOVE_FROM_SLOT = `
  delete from trainings t where t.slot = $3::smallint and t.persona_id = $2 and t.workspace_id = $1
  returning t.id, t.file_id as "fileId"`;

const READ = `
  select ${TRAINING}, f.key as "fileKey" from trainings t left join files f on f.id = t.file_id
  where ${THE_TRAINING}`;

const EXISTS = `select 1 from trainings where id = $2 and workspace_id = $1`;

/** One text a kind, so that each is planned with the index that holds just what it lists. */
const LISTS = { all: list('true'), like: list('t.slot is null'), slot: list('t.slot is not null') };

function list(condition: string): string {
  return `
    select listed.*
    from personas p
    left join lateral (
      select ${TRAINING}, f.key as "fileKey" from trainings t left join files f on f.id = t.file_id
      where t.persona_id = p.id and ${condition} and t.id < coalesce($3::bigint, ${Number.MAX_SAFE_INTEGER})
      order by t.id desc
      limit $4
    ) listed on true
    where p.id = $2 and p.workspace_id = $1 and p.deleted_at is null
    order by listed.id desc`;
}
