import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { GenerationView, GenerationViews, PersonaGenerations } from '#generation';
import { notFound, pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { build, pageValues, prepared, type PageValues, type Prepared } from '../prepared.ts';
import { countOf, fieldsOf } from '../shapes.ts';
import { furtherInputsOf, GENERATION, toRequest } from './generation-store.ts';

const selectViews = build
  .selectFrom('generations')
  .select(GENERATION)
  .select(fieldsOf('generations', ['errorCode', 'error', 'finishedAt']))
  .select(furtherInputsOf('generations.id'))
  .select((eb) =>
    jsonArrayFrom(
      eb
        .selectFrom('generation_outputs as o')
        .innerJoin('files as f', 'f.id', 'o.file_id')
        .select(['f.key', 'o.content_type as contentType', 'o.width', 'o.height', 'o.duration', 'o.label', 'o.score'])
        .select((output) =>
          jsonArrayFrom(
            output
              .selectFrom('generation_thumbnails as t')
              .innerJoin('files as tf', 'tf.id', 't.file_id')
              .select(['tf.key', 't.width', 't.height'])
              .whereRef('t.generation_id', '=', 'o.generation_id')
              .whereRef('t.position', '=', 'o.position')
              .orderBy('tf.id'),
          ).as('thumbnails'),
        )
        .whereRef('o.generation_id', '=', 'generations.id')
        .orderBy('o.position'),
    ).as('outputs'),
  );

const selectPage = prepared<{ workspaceId: number } & PageValues>()((param) =>
  selectViews
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '<', param('before'))
    .orderBy('id', 'desc')
    .limit(param('limit')),
);

const selectOfPersona = prepared<{ workspaceId: number; personaId: number; limit: number }>()((param) => {
  const ofPersona = selectViews
    .where('workspace_id', '=', param('workspaceId'))
    .where('persona_id', '=', param('personaId'));
  return ofPersona.select(countOf(ofPersona.clearSelect()).as('count')).orderBy('id', 'desc').limit(param('limit'));
});

const selectOne = prepared<{ workspaceId: number; id: number }>()((param) =>
  selectViews.where('id', '=', param('id')).where('workspace_id', '=', param('workspaceId')),
);

type ViewRow = typeof selectOne extends Prepared<never, infer Row> ? Row : never;

export class PostgresGenerationViews implements GenerationViews {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, page: PageRequest): Promise<Page<GenerationView>> {
    const rows = await this.database.run(selectPage, { workspaceId, ...pageValues(page) });
    return pageOf(rows.map(toView), page.limit, ({ id }) => id);
  }

  async ofPersona(workspaceId: number, personaId: number, limit: number): Promise<PersonaGenerations> {
    const rows = await this.database.run(selectOfPersona, { workspaceId, personaId, limit });
    return { newest: rows.map(toView), count: rows[0]?.count ?? 0 };
  }

  async get(workspaceId: number, id: number): Promise<GenerationView> {
    const row = await this.database.one(selectOne, { workspaceId, id });
    if (!row) throw notFound('generation');
    return toView(row);
  }
}

function toView({ errorCode: code, error: message, ...row }: ViewRow): GenerationView {
  const { id, state, progress, outputs, startedAt, finishedAt } = row;
  const error = code === null ? null : { code, message: message! };
  return { id, request: toRequest(row), state, progress, outputs, error, startedAt, finishedAt };
}
