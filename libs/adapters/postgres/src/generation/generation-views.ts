import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import {
  lineageOf,
  type GenerationFilter,
  type GenerationView,
  type GenerationViews,
  type Lineage,
  type PersonaGenerations,
} from '#generation';
import { notFound, pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type Param, type Prepared } from '../prepared.ts';
import { isShownOutput, PICTURE } from '../files/file-rows.ts';
import { countOf, fieldsOf } from '../shapes.ts';
import { selectGenerations, toRequest } from './generation-rows.ts';
import { relatives } from './lineage-rows.ts';

/** The id of the persona unless it is deleted. */
const existingPersona = build
  .selectFrom('personas as p')
  .select('p.id')
  .where('p.id', '=', sql.ref<number>('generations.persona_id'))
  .where('p.deletion_id', 'is', null);

export const selectViews = selectGenerations
  .select(sql<number | null>`(${existingPersona})`.as('personaId'))
  .select(fieldsOf('generations', ['errorCode', 'error', 'finishedAt']))
  .select((eb) =>
    jsonArrayFrom(
      eb
        .selectFrom('generation_outputs as o')
        .innerJoin('files', 'files.id', 'o.file_id')
        .where((file) => isShownOutput(file as never))
        .select([...PICTURE, 'files.id as fileId', sql<number>`o.position - 1`.as('index'), 'o.label', 'o.score'])
        .whereRef('o.generation_id', '=', 'generations.id')
        .orderBy('o.position'),
    ).as('outputs'),
  );

type FilterName = keyof GenerationFilter;
type PageOfFilter = { workspaceId: number; cursor: number; limit: number | null } & Required<GenerationFilter>;
type Views = typeof selectViews;

const FILTERS: Record<FilterName, (views: Views, param: Param<PageOfFilter>) => Views> = {
  state: (views, param) => views.where('state', '=', param('state')),
  model: (views, param) => views.where('model', '=', param('model')),
  personaId: (views, param) =>
    views.where('persona_id', '=', param('personaId')).where(({ exists }) => exists(existingPersona)),
  userId: (views, param) => views.where('user_id', '=', param('userId')),
  batchId: (views, param) => views.where('batch_id', '=', param('batchId')),
  isSingle: (views, param) => views.where(sql<boolean>`(batch_id is null)`, '=', param('isSingle')),
  customer: (views, param) => views.where('customer', '=', param('customer')),
  after: (views, param) =>
    views.where('created_at', '>=', param('after')).where('id', '>', (eb) =>
      eb.fn.coalesce(
        inTime(param)
          .where('created_at', '<', sql<Date>`${param('after')}::timestamptz - ${SLACK}`)
          .orderBy('created_at', 'desc'),
        sql.lit(0),
      ),
    ),
  before: (views, param) =>
    views.where('created_at', '<', param('before')).where('id', '<', (eb) =>
      eb.fn.coalesce(
        inTime(param)
          .where('created_at', '>=', sql<Date>`${param('before')}::timestamptz + ${SLACK}`)
          .orderBy('created_at'),
        sql.lit(Number.MAX_SAFE_INTEGER),
      ),
    ),
};

/** Exceeds the clock differences between machines. Apart from these, ids grow with time. */
const SLACK = sql`interval '1 hour'`;

/** Finds an id near a time, so that only that range of the list is read. */
function inTime(param: Param<PageOfFilter>) {
  return build
    .selectFrom('generations')
    .select('id')
    .where('workspace_id', '=', param('workspaceId'))
    .limit(sql.lit(1));
}

const selectPages = new Map<string, ReturnType<typeof makeSelectPage>>();

/** One statement per combination of filters, so that PostgreSQL plans each with its index. */
function selectPage(filter: GenerationFilter) {
  const names = (Object.keys(FILTERS) as FilterName[]).filter((name) => filter[name] !== undefined);
  const key = names.join();
  const statement = selectPages.get(key) ?? makeSelectPage(names);
  selectPages.set(key, statement);
  return statement;
}

function makeSelectPage(names: readonly FilterName[]) {
  return prepared<PageOfFilter>()((param) =>
    names
      .reduce((views, name) => FILTERS[name](views, param), selectViews)
      .where('workspace_id', '=', param('workspaceId'))
      .where('id', '<', param('cursor'))
      .orderBy('id', 'desc')
      .limit(param('limit')),
  );
}

const selectOfPersona = prepared<{ workspaceId: number; personaId: number; limit: number }>()((param) => {
  // The workspace is checked on the persona, so that counting needs only the index.
  const persona = build
    .selectFrom('personas')
    .select('id')
    .where((eb) => eb.and({ id: param('personaId'), workspace_id: param('workspaceId'), deletion_id: null }));
  const count = countOf(build.selectFrom('generations').where('persona_id', '=', persona));
  return selectViews
    .select(count.as('count'))
    .where('persona_id', '=', persona)
    .orderBy('id', 'desc')
    .limit(param('limit'));
});

const selectOne = prepared<{ workspaceId: number; id: number }>()((param) =>
  selectViews.where((eb) => eb.and({ id: param('id'), workspace_id: param('workspaceId') })),
);

const selectRelated = prepared<{ workspaceId: number; id: number }>()((param) =>
  selectViews.where('id', '=', relatives(param)),
);

type ViewRow = typeof selectOne extends Prepared<never, infer Row> ? Row : never;

export class PostgresGenerationViews implements GenerationViews {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, page: PageRequest, filter: GenerationFilter = {}): Promise<Page<GenerationView>> {
    const { before: cursor, limit } = pageValues(page);
    const values = { ...filter, workspaceId, cursor, limit } as PageOfFilter;
    const rows = await this.database.run(selectPage(filter), values);
    return pageOf(rows.map(toView), page.limit, ({ id }) => id);
  }

  async listForPersona(workspaceId: number, personaId: number, limit: number): Promise<PersonaGenerations> {
    const rows = await this.database.run(selectOfPersona, { workspaceId, personaId, limit });
    return { newest: rows.map(toView), count: rows[0]?.count ?? 0 };
  }

  async get(workspaceId: number, id: number): Promise<GenerationView> {
    const row = await this.database.one(selectOne, { workspaceId, id });
    if (!row) throw notFound('generation');
    return toView(row);
  }

  async lineage(workspaceId: number, id: number): Promise<Lineage<GenerationView>> {
    const rows = await this.database.run(selectRelated, { workspaceId, id });
    const related = rows.map(toView);
    const generation = related.find((each) => each.id === id);
    if (!generation) throw notFound('generation');
    return lineageOf(generation, related);
  }
}

export function toView({ errorCode: code, error: message, ...row }: ViewRow): GenerationView {
  const { id, state, progress, outputs, startedAt, finishedAt } = row;
  const error = code === null ? null : { code, message: message! };
  return { id, request: toRequest(row), state, progress, outputs, error, startedAt, finishedAt };
}
