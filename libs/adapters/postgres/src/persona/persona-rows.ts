import type { Selectable } from 'kysely';
import { slotOf, type Persona, type Training, type TrainingRecord } from '#persona';
import { build, type Param } from '../prepared.ts';
import type { Tables } from '../schema.ts';

export interface PersonaId {
  readonly workspaceId: number;
  readonly personaId: number;
}

/** Selects the persona that `values` identify, as `p`; none if it is deleted. */
export function existingPersona(param: Param<PersonaId>) {
  return build
    .selectFrom('personas as p')
    .where('p.id', '=', param('personaId'))
    .where('p.workspace_id', '=', param('workspaceId'))
    .where('p.deleted_at', 'is', null);
}

export const PERSONA = [
  'p.id',
  'p.workspace_id',
  'p.created_by',
  'p.name',
  'p.title',
  'p.knows',
  'p.profession',
  'p.created_at',
  'p.updated_at',
] as const;

export function personaOf(row: Omit<Selectable<Tables['personas']>, 'deleted_at'>): Persona {
  const { id, name, title, knows, profession } = row;
  return {
    id,
    workspaceId: row.workspace_id,
    createdBy: row.created_by,
    name,
    title,
    knows,
    profession,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export interface TrainingId extends PersonaId {
  readonly trainingId: number;
}

export const TRAINING = [
  't.id',
  't.workspace_id',
  't.persona_id',
  't.slot',
  't.source_url',
  't.file_id',
  't.state',
  't.error',
  't.extras',
  't.info',
  't.created_at',
  't.picture_version',
] as const;

type TrainingRow = Selectable<Tables['trainings']>;

export function trainingOf(row: TrainingRow): Training {
  const { id, state, extras, info } = row;
  const training = {
    id,
    workspaceId: row.workspace_id,
    personaId: row.persona_id,
    slot: row.slot === null ? null : slotOf(row.slot),
    sourceUrl: row.source_url,
    extras,
    info,
    createdAt: row.created_at,
    pictureVersion: row.picture_version,
  };
  // Check constraints: a training has a file exactly when it is processed, and an error exactly when it failed.
  if (state === 'processed') return { ...training, state, fileId: row.file_id!, error: null };
  if (state === 'failed') return { ...training, state, fileId: null, error: row.error! };
  return { ...training, state, fileId: null, error: null };
}

/** Selects trainings as `t` with their files as `f`. */
export function trainingsWithFiles() {
  return build
    .selectFrom('trainings as t')
    .leftJoin('files as f', 'f.id', 't.file_id')
    .select(TRAINING)
    .select(['f.key', 'f.content_type']);
}

export type TrainingRecordRow = TrainingRow & { key: string | null; content_type: string | null };

export function trainingRecordOf(row: TrainingRecordRow): TrainingRecord {
  const { key, content_type: contentType } = row;
  const file = key === null || contentType === null ? null : { key, contentType };
  return { ...trainingOf(row), file };
}
