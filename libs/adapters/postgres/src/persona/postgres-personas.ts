import { pageOf, type Page, type PageRequest } from '#kernel';
import type { NewPersona, Persona, PersonaDetails, PersonaProfile, Personas, PersonaSummary } from '#persona';
import type { Database } from '../database.ts';

export class PostgresPersonas implements Personas {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(persona: NewPersona): Promise<Persona> {
    const { workspaceId, createdBy, name, title, knows, profession, createdAt } = persona;
    const values = [workspaceId, createdBy, name, title, knows, profession, createdAt];
    return (await this.#database.one<Persona>(ADD, values))!;
  }

  find(workspaceId: number, personaId: number): Promise<Persona | null> {
    return this.#database.one<Persona>(FIND, [workspaceId, personaId]);
  }

  async hold(workspaceId: number, personaId: number): Promise<boolean> {
    return (await this.#database.one(HOLD, [workspaceId, personaId])) !== null;
  }

  async holdSlots(workspaceId: number, personaId: number): Promise<boolean> {
    return (await this.#database.one(HOLD_SLOTS, [workspaceId, personaId])) !== null;
  }

  update(
    workspaceId: number,
    personaId: number,
    changes: Partial<PersonaProfile>,
    updatedAt: Date,
  ): Promise<PersonaDetails | null> {
    const values = [workspaceId, personaId, JSON.stringify(changes), updatedAt];
    return this.#database.one<PersonaDetails>(UPDATE, values);
  }

  async remove(workspaceId: number, personaId: number, deletedAt: Date): Promise<readonly number[] | null> {
    const marked = await this.#database.one(MARK_DELETED, [workspaceId, personaId, deletedAt]);
    if (!marked) return null;
    // A statement of its own, so that it sees what was added while the mark waited for the row.
    const files = await this.#database.query<{ id: number }>(REMOVE_TRAININGS, [personaId]);
    return files.map(({ id }) => id);
  }

  read(workspaceId: number, personaId: number): Promise<PersonaDetails | null> {
    return this.#database.one<PersonaDetails>(READ, [workspaceId, personaId]);
  }

  async list(workspaceId: number, { limit, after }: PageRequest): Promise<Page<PersonaSummary>> {
    const values = [workspaceId, after, limit === null ? null : limit + 1];
    const rows = await this.#database.query<PersonaSummary>(LIST, values);
    return pageOf(rows, limit, (persona) => persona.id);
  }
}

const PERSONA = `p.id, p.workspace_id as "workspaceId", p.created_by as "createdBy", p.name, p.title, p.knows,
  p.profession, p.created_at as "createdAt", p.updated_at as "updatedAt"`;

const THE_PERSONA = `p.id = $2 and p.workspace_id = $1 and p.deleted_at is null`;

// Each count is one index-only scan.
const LIKES = `
  cross join lateral (
    select count(*) as "likesCount" from trainings t where t.persona_id = p.id and t.slot is null
  ) likes`;

/** A persona's answer, from a relation \`p\` that holds its row. */
const DETAILS = `
  select ${PERSONA}, "slotsFilled", "likesCount", "slotsFilled" + "likesCount" as "trainingsCount", "filledSlots"
  from p ${LIKES}
  cross join lateral (
    select count(*) as "slotsFilled",
      coalesce(
        json_agg(
          json_build_object('slot', t.slot, 'trainingId', t.id, 'sourceUrl', t.source_url, 'fileKey', f.key,
            'state', t.state, 'error', t.error)
          order by t.slot),
        '[]') as "filledSlots"
    from trainings t left join files f on f.id = t.file_id
    where t.persona_id = p.id and t.slot is not null
  ) slots`;

const ADD = `
  insert into personas as p (workspace_id, created_by, name, title, knows, profession, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7)
  returning ${PERSONA}`;

const FIND = `select ${PERSONA} from personas p where ${THE_PERSONA}`;

// Conflicts with nothing but the deletion.
const HOLD = `select 1 from personas p where ${THE_PERSONA} for key share`;

const HOLD_SLOTS = `select 1 from personas p where ${THE_PERSONA} for no key update`;

// What is absent from the changes keeps the value of the row.
const UPDATE = `
  with p as (
    update personas p
    set (name, title, knows, profession, updated_at) = (
      select c.name, c.title, c.knows, c.profession, $4::timestamptz
      from jsonb_populate_record(p, $3::jsonb) c
    )
    where ${THE_PERSONA}
    returning p.*
  )
  ${DETAILS}`;

const MARK_DELETED = `
  with held as (select p.id from personas p where ${THE_PERSONA} for update)
  update personas set deleted_at = $3 from held where personas.id = held.id
  returning personas.id`;

const REMOVE_TRAININGS = `
  with removed as (delete from trainings where persona_id = $1 returning file_id)
  select distinct f.id
  from removed join files f on f.id = removed.file_id
  where f.persona_id is distinct from $1`;

const READ = `with p as (select * from personas p where ${THE_PERSONA}) ${DETAILS}`;

const LIST = `
  select ${PERSONA}, "slotsFilled", "likesCount", "slotsFilled" + "likesCount" as "trainingsCount"
  from personas p ${LIKES}
  cross join lateral (
    select count(*) as "slotsFilled" from trainings t where t.persona_id = p.id and t.slot is not null
  ) slots
  where p.workspace_id = $1 and p.deleted_at is null and p.id < coalesce($2::bigint, ${Number.MAX_SAFE_INTEGER})
  order by p.id desc
  limit $3`;
