import type { Expression } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { pageOf, type Page, type PageRequest } from '#kernel';
import {
  slotOf,
  type PersonaDetails,
  type PersonaSummary,
  type PersonaViews,
  type TrainingKind,
  type TrainingRecord,
} from '#persona';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import {
  existingPersona,
  PERSONA,
  personaOf,
  trainingRecordOf,
  trainingsWithFiles,
  type PersonaId,
  type TrainingRecordRow,
} from './persona-rows.ts';
import { READ_TRAINING } from './training-store.ts';

export class PostgresPersonaViews implements PersonaViews {
  constructor(private readonly database: Database) {}

  async persona(workspaceId: number, personaId: number): Promise<PersonaDetails | null> {
    const row = await this.database.one(READ, { workspaceId, personaId });
    if (!row) return null;
    const filledSlots = row.slots.map(({ slot, training_id, source_url, file_key, state, error }) => ({
      slot: slotOf(slot!),
      trainingId: training_id,
      sourceUrl: source_url,
      fileKey: file_key,
      state,
      error,
    }));
    const counts = { slotsFilled: filledSlots.length, likesCount: row.likes_count ?? 0 };
    return { ...personaOf(row), ...counts, filledSlots };
  }

  async personas(workspaceId: number, page: PageRequest): Promise<Page<PersonaSummary>> {
    const rows = await this.database.run(LIST, { workspaceId, ...pageValues(page) });
    const personas = rows.map((row) => ({
      ...personaOf(row),
      slotsFilled: row.slots_filled ?? 0,
      likesCount: row.likes_count ?? 0,
    }));
    return pageOf(personas, page.limit, ({ id }) => id);
  }

  async training(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null> {
    const row = await this.database.one(READ_TRAINING, { workspaceId, personaId, trainingId });
    return row && trainingRecordOf(row);
  }

  async hasTraining(workspaceId: number, trainingId: number): Promise<boolean> {
    return (await this.database.one(HAS_TRAINING, { workspaceId, trainingId })) !== null;
  }

  async trainings(
    workspaceId: number,
    personaId: number,
    kind: TrainingKind | null,
    page: PageRequest,
  ): Promise<Page<TrainingRecord> | null> {
    const values = { workspaceId, personaId, ...pageValues(page) };
    const rows = await this.database.run(LIST_TRAININGS[kind ?? 'all'], values);
    if (rows.length === 0) return null;
    // A persona without trainings has one row, of nulls.
    const trainings = rows.filter((row): row is TrainingRecordRow => row.id !== null).map(trainingRecordOf);
    return pageOf(trainings, page.limit, ({ id }) => id);
  }
}

interface PageValues {
  /** The id that the page comes before, in descending order. */
  readonly before: number;
  /** One more than the page has, to see whether it is the last one. */
  readonly limit: number | null;
}

function pageValues({ limit, after }: PageRequest): PageValues {
  return { before: after ?? Number.MAX_SAFE_INTEGER, limit: limit === null ? null : limit + 1 };
}

// Each count is one index-only scan.
function countOf(persona: Expression<number>, kind: TrainingKind) {
  return build
    .selectFrom('trainings as t')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('t.persona_id', '=', persona)
    .where('t.slot', kind === 'like' ? 'is' : 'is not', null);
}

function slotsOf(persona: Expression<number>) {
  return build
    .selectFrom('trainings as t')
    .leftJoin('files as f', 'f.id', 't.file_id')
    .select(['t.slot', 't.id as training_id', 't.source_url', 'f.key as file_key', 't.state', 't.error'])
    .where('t.persona_id', '=', persona)
    .where('t.slot', 'is not', null)
    .orderBy('t.slot');
}

const READ = prepared<PersonaId>()((param) =>
  existingPersona(param)
    .select(PERSONA)
    .select((eb) => [
      countOf(eb.ref('p.id'), 'like').as('likes_count'),
      jsonArrayFrom(slotsOf(eb.ref('p.id'))).as('slots'),
    ]),
);

const LIST = prepared<{ workspaceId: number } & PageValues>()((param) =>
  build
    .selectFrom('personas as p')
    .select(PERSONA)
    .select((eb) => [
      countOf(eb.ref('p.id'), 'like').as('likes_count'),
      countOf(eb.ref('p.id'), 'slot').as('slots_filled'),
    ])
    .where('p.workspace_id', '=', param('workspaceId'))
    .where('p.deleted_at', 'is', null)
    .where('p.id', '<', param('before'))
    .orderBy('p.id', 'desc')
    .limit(param('limit')),
);

const HAS_TRAINING = prepared<{ workspaceId: number; trainingId: number }>()((param) =>
  build
    .selectFrom('trainings')
    .select('id')
    .where('id', '=', param('trainingId'))
    .where('workspace_id', '=', param('workspaceId')),
);

/** One statement for each kind, so that each is planned with the index of what it lists. */
const LIST_TRAININGS = {
  all: listTrainings((trainings) => trainings),
  like: listTrainings((trainings) => trainings.where('t.slot', 'is', null)),
  slot: listTrainings((trainings) => trainings.where('t.slot', 'is not', null)),
};

type TrainingsQuery = ReturnType<typeof trainingsWithFiles>;

function listTrainings(ofKind: (trainings: TrainingsQuery) => TrainingsQuery) {
  return prepared<PersonaId & PageValues>()((param) =>
    existingPersona(param)
      .leftJoinLateral(
        (eb) =>
          ofKind(trainingsWithFiles())
            .where('t.persona_id', '=', eb.ref('p.id'))
            .where('t.id', '<', param('before'))
            .orderBy('t.id', 'desc')
            .limit(param('limit'))
            .as('listed'),
        (join) => join.onTrue(),
      )
      .selectAll('listed')
      .orderBy('listed.id', 'desc'),
  );
}
