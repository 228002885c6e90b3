import type {
  EndedGeneration,
  Generation,
  GenerationRequest,
  Generations,
  Queued,
  Running,
} from '#generation';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { GENERATION_CHANGES } from './generation-changes.ts';
import { fromOutput, toGeneration, toRunning, type GenerationRow, type OutputRow } from './generation-row.ts';

/** Tells those who watch; `changed` is the CTE of the rows that a statement changed. */
const NOTIFY = `
  select pg_notify('${GENERATION_CHANGES}',
                   json_build_object('id', id, 'state', state, 'progress', progress)::text)
    from changed`;

export class PostgresGenerations implements Generations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(request: GenerationRequest): Promise<Queued> {
    const { image, styleReference } = request.inputs;
    const row = await this.#database.one<{ id: number }>(
      `insert into generations (workspace_id, user_id, persona_id, model, kind, state, prompt, parameters, image_url,
                                image_file_id, style_url, style_file_id, cost, created_at)
       select $1, $2, $3, $4, $5, 'queued', $6, $7, $8, $9, $10, $11, $12, $13
         from memberships where workspace_id = $1 and user_id = $2
          for key share
       returning id`,
      [
        request.workspaceId,
        request.userId,
        request.personaId,
        request.model,
        request.kind,
        request.prompt,
        JSON.stringify(request.parameters),
        image?.url ?? null,
        image?.fileId ?? null,
        styleReference?.url ?? null,
        styleReference?.fileId ?? null,
        request.cost,
        request.createdAt,
      ],
    );
    if (!row)
      throw new DomainError('conflict', 'you have left this workspace meanwhile: send the call again');
    return { id: row.id, attempt: 0, request, state: 'queued' };
  }

  async hold(id: number, workspaceId?: number): Promise<Generation | null> {
    const row = await this.#database.one<GenerationRow>(
      `select * from generations where id = $1 and workspace_id = coalesce($2, workspace_id) for no key update`,
      [id, workspaceId ?? null],
    );
    return row && toGeneration(row, row.state === 'succeeded' ? await this.#outputs(id) : []);
  }

  /** A statement of its own: in the one that waits for the lock they might still be missing. */
  #outputs(id: number): Promise<OutputRow[]> {
    return this.#database.query<OutputRow>(
      `select file_id, content_type, width, height, duration
         from generation_outputs
        where generation_id = $1
        order by position`,
      [id],
    );
  }

  async claim(id: number, attempt: number, at: Date): Promise<Running | null> {
    const row = await this.#database.one<GenerationRow>(
      `with changed as (
         update generations
            set state = 'running', attempt = $2, progress = 0, started_at = coalesce(started_at, $3)
          where id = $1 and attempt < $2 and state in ('queued', 'running')
          returning *),
       told as materialized (${NOTIFY})
       select changed.* from changed, told`,
      [id, attempt, at],
    );
    return row && toRunning(row);
  }

  async isCurrent({ id, attempt }: Running): Promise<boolean> {
    const row = await this.#database.one(
      `select from generations where id = $1 and attempt = $2 and state = 'running'`,
      [id, attempt],
    );
    return row !== null;
  }

  async progress({ id, attempt }: Running, fraction: number): Promise<boolean> {
    const row = await this.#database.one(
      `with changed as (
         update generations set progress = $3
          where id = $1 and attempt = $2 and state = 'running'
          returning id, state, progress)
       ${NOTIFY}`,
      [id, attempt, fraction],
    );
    return row !== null;
  }

  async save(ended: EndedGeneration): Promise<boolean> {
    const error = ended.state === 'failed' ? ended.error : null;
    const outputs = ended.state === 'succeeded' ? ended.outputs : [];
    const row = await this.#database.one(
      `with changed as (
         update generations
            set state = $3, progress = case when $3 = 'succeeded' then 1 else progress end,
                error_code = $4, error = $5, finished_at = $6, image_file_id = null, style_file_id = null
          where id = $1 and attempt = $2 and state in ('queued', 'running')
          returning id, state, progress),
       kept as (
         insert into generation_outputs (generation_id, position, file_id, content_type, width, height, duration)
         select changed.id, o.position, (o.output->>'file_id')::bigint, o.output->>'content_type',
                (o.output->>'width')::integer, (o.output->>'height')::integer,
                (o.output->>'duration')::double precision
           from changed, jsonb_array_elements($7::jsonb) with ordinality as o (output, position))
       ${NOTIFY}`,
      [
        ended.id,
        ended.attempt,
        ended.state,
        error?.code ?? null,
        error?.message ?? null,
        ended.finishedAt,
        JSON.stringify(outputs.map(fromOutput)),
      ],
    );
    return row !== null;
  }
}
