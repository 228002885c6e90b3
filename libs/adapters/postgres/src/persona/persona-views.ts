import { sql, type Expression } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import { pageOf, WHOLE_LIST, type Page, type PageRequest } from '#kernel';
import type {
  PersonaDetails,
  PersonaFilter,
  PersonaSummary,
  PersonaViews,
  TrainingKind,
  TrainingRecord,
} from '#persona';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type PageValues } from '../prepared.ts';
import { containsText } from '../shapes.ts';
import { existingPersona, PERSONA, type PersonaId } from './persona-store.ts';
import { readTraining, trainingRecordOf, trainingsWithFiles, type TrainingRecordRow } from './training-store.ts';

export class PostgresPersonaViews implements PersonaViews {
  constructor(private readonly database: Database) {}

  async persona(workspaceId: number, personaId: number): Promise<PersonaDetails | null> {
    const persona = await this.database.one(findDetails, { workspaceId, personaId });
    const page = persona && (await this.trainings(workspaceId, personaId, null, WHOLE_LIST));
    if (!page) return null;
    const slotsFilled = page.items.filter(({ slot }) => slot !== null).length;
    return { ...persona, slotsFilled, likesCount: page.items.length - slotsFilled, trainings: page.items };
  }

  async personas(
    workspaceId: number,
    page: PageRequest,
    { search, customer }: PersonaFilter = {},
  ): Promise<Page<PersonaSummary>> {
    const values = { workspaceId, search: search ?? null, customer, ...pageValues(page) };
    const rows = await this.database.run(customer === undefined ? listPersonas : listPersonasOfCustomer, values);
    return pageOf(rows, page.limit, ({ id }) => id);
  }

  async training(workspaceId: number, personaId: number, trainingId: number): Promise<TrainingRecord | null> {
    const row = await this.database.one(readTraining, { workspaceId, personaId, trainingId });
    return row && trainingRecordOf(row);
  }

  hasTraining(workspaceId: number, personaId: number, trainingId: number): Promise<boolean> {
    return this.database.any(hasTraining, { workspaceId, personaId, trainingId });
  }

  async trainings(
    workspaceId: number,
    personaId: number,
    kind: TrainingKind | null,
    page: PageRequest,
  ): Promise<Page<TrainingRecord> | null> {
    const values = { workspaceId, personaId, ...pageValues(page) };
    const rows = await this.database.run(listTrainings[kind ?? 'all'], values);
    if (rows.length === 0) return null;
    // A persona without trainings has one row of nulls.
    const trainings = rows.filter((row): row is TrainingRecordRow => row.id !== null).map(trainingRecordOf);
    return pageOf(trainings, page.limit, ({ id }) => id);
  }
}

const findDetails = prepared<PersonaId>()((param) =>
  existingPersona(param)
    .select(PERSONA)
    .select((eb) =>
      jsonObjectFrom(
        eb
          .selectFrom('styles')
          .select(['styles.id', 'styles.name'])
          .whereRef('styles.persona_id', '=', 'p.id')
          .where('styles.is_active', '=', true),
      ).as('activeStyle'),
    ),
);

/** Needs one index-only scan. */
function countOf(persona: Expression<number>, kind: TrainingKind) {
  return build
    .selectFrom('trainings as t')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('t.persona_id', '=', persona)
    .where('t.slot', kind === 'like' ? 'is' : 'is not', null)
    .$asScalar()
    .$notNull();
}

const personasPage = (isOfCustomer: boolean) =>
  prepared<{ workspaceId: number; search: string | null; customer: string | undefined } & PageValues>()((param) => {
    const page = build
      .selectFrom('personas as p')
      .select(PERSONA)
      .select((eb) => [
        countOf(eb.ref('p.id'), 'like').as('likesCount'),
        countOf(eb.ref('p.id'), 'slot').as('slotsFilled'),
      ])
      .where((eb) => eb.and({ 'p.workspace_id': param('workspaceId'), 'p.deletion_id': null }))
      .where((eb) => containsText(eb.ref('p.name'), param('search')))
      .where('p.id', '<', param('before'))
      .orderBy('p.id', 'desc')
      .limit(param('limit'));
    return isOfCustomer ? page.where('p.customer', '=', sql<string>`${param('customer')}`) : page;
  });

const listPersonas = personasPage(false);
const listPersonasOfCustomer = personasPage(true);

const hasTraining = prepared<PersonaId & { trainingId: number }>()((param) =>
  existingPersona(param)
    .innerJoin('trainings as t', 't.persona_id', 'p.id')
    .select('t.id')
    .where('t.id', '=', param('trainingId')),
);

/** One statement per kind, so that PostgreSQL plans each with its index. */
const listTrainings = {
  all: trainingsPage((trainings) => trainings),
  like: trainingsPage((trainings) => trainings.where('t.slot', 'is', null)),
  slot: trainingsPage((trainings) => trainings.where('t.slot', 'is not', null)),
};

type TrainingsQuery = ReturnType<typeof trainingsWithFiles>;

function trainingsPage(ofKind: (trainings: TrainingsQuery) => TrainingsQuery) {
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
