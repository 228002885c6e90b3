import { notFound, pageOf, type Page, type PageRequest } from '#kernel';
import type { GenerationView, GenerationViews } from '#generation';
import type { ObjectStorage } from '#files';
import type { Database } from '../database.ts';
import type { GenerationRow, OutputRow } from './generation-row.ts';

type ViewRow = GenerationRow & { readonly outputs: ReadonlyArray<OutputRow & { readonly key: string }> };

const VIEW = `
  select id, user_id, persona_id, model, kind, state, progress, prompt, parameters, image_url, style_url, error_code,
         error, cost, created_at, started_at, finished_at,
         (select coalesce(json_agg(json_build_object('key', f.key, 'content_type', o.content_type, 'width', o.width,
                                                     'height', o.height, 'duration', o.duration)
                                   order by o.position), '[]')
            from generation_outputs o
            join files f on f.id = o.file_id
           where o.generation_id = g.id) as outputs
    from generations g`;

export class PostgresGenerationViews implements GenerationViews {
  readonly #database: Database;
  readonly #storage: Pick<ObjectStorage, 'publicUrl'>;

  constructor(database: Database, storage: Pick<ObjectStorage, 'publicUrl'>) {
    this.#database = database;
    this.#storage = storage;
  }

  async list(workspaceId: number, { limit, after }: PageRequest): Promise<Page<GenerationView>> {
    const rows = await this.#database.query<ViewRow>(
      `${VIEW}
       where workspace_id = $1 and id < coalesce($2, 9223372036854775807)
       order by id desc
       limit $3`,
      [workspaceId, after, limit === null ? null : limit + 1],
    );
    const page = pageOf(rows, limit, (row) => row.id);
    return { items: page.items.map((row) => this.#toView(row)), next: page.next };
  }

  async get(workspaceId: number, id: number): Promise<GenerationView> {
    const row = await this.#database.one<ViewRow>(`${VIEW} where id = $1 and workspace_id = $2`, [
      id,
      workspaceId,
    ]);
    if (!row) throw notFound('generation');
    return this.#toView(row);
  }

  #toView(row: ViewRow): GenerationView {
    return {
      id: row.id,
      userId: row.user_id,
      personaId: row.persona_id,
      model: row.model,
      kind: row.kind,
      state: row.state,
      progress: row.progress,
      prompt: row.prompt,
      parameters: row.parameters,
      imageUrl: row.image_url,
      styleReferenceUrl: row.style_url,
      outputs: row.outputs.map((output) => ({
        url: this.#storage.publicUrl(output.key),
        contentType: output.content_type,
        width: output.width,
        height: output.height,
        duration: output.duration,
      })),
      error: row.error_code === null ? null : { code: row.error_code, message: row.error! },
      cost: row.cost,
      createdAt: row.created_at,
      startedAt: row.started_at,
      finishedAt: row.finished_at,
    };
  }
}
