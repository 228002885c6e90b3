import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { GenerationView, GenerationViews } from '#generation';
import { notFound, pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared, type Prepared } from '../prepared.ts';
import { GENERATION_COLUMNS, toRequest } from './generation-store.ts';

const selectViews = build
  .selectFrom('generations as g')
  .select(GENERATION_COLUMNS.map((column) => `g.${column}` as const))
  .select((eb) =>
    jsonArrayFrom(
      eb
        .selectFrom('generation_outputs as o')
        .innerJoin('files as f', 'f.id', 'o.file_id')
        .select(['f.key', 'o.content_type as contentType', 'o.width', 'o.height', 'o.duration'])
        .whereRef('o.generation_id', '=', 'g.id')
        .orderBy('o.position'),
    ).as('outputs'),
  );

const selectPage = prepared<{ workspaceId: number; after: number | null; limit: number | null }>()((param) =>
  selectViews
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '<', sql<number>`coalesce(${param('after')}, 9223372036854775807)`)
    .orderBy('id', 'desc')
    .limit(param('limit')),
);

const selectOne = prepared<{ workspaceId: number; id: number }>()((param) =>
  selectViews.where('id', '=', param('id')).where('workspace_id', '=', param('workspaceId')),
);

type ViewRow = typeof selectOne extends Prepared<never, infer Row> ? Row : never;

export class PostgresGenerationViews implements GenerationViews {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, { limit, after }: PageRequest): Promise<Page<GenerationView>> {
    const oneMore = limit === null ? null : limit + 1;
    const rows = await this.database.run(selectPage, { workspaceId, after, limit: oneMore });
    const page = pageOf(rows, limit, (row) => row.id);
    return { items: page.items.map(toView), next: page.next };
  }

  async get(workspaceId: number, id: number): Promise<GenerationView> {
    const row = await this.database.one(selectOne, { workspaceId, id });
    if (!row) throw notFound('generation');
    return toView(row);
  }
}

function toView(row: ViewRow): GenerationView {
  const { id, state, progress, outputs, error_code: code, error: message } = row;
  const error = code === null ? null : { code, message: message! };
  const times = { startedAt: row.started_at, finishedAt: row.finished_at };
  return { id, request: toRequest(row), state, progress, outputs, error, ...times };
}
