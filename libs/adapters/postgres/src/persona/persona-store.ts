import { sql } from 'kysely';
import type { NewPersona, Persona, PersonaProfile, PersonaStore } from '#persona';
import type { Deletion } from '#files';
import { CUSTOM_DATA, type CustomData } from '#kernel';
import type { Database } from '../database.ts';
import { build, prepared, type Param } from '../prepared.ts';
import { Persona as PersonaTable } from '../schema.ts';
import { fieldsOf, insertFrom } from '../shapes.ts';
import { addEntries } from '../trash/entries.ts';

export class PostgresPersonas implements PersonaStore {
  constructor(private readonly database: Database) {}

  async add(persona: NewPersona): Promise<Persona> {
    const added = { ...persona, updatedAt: persona.createdAt };
    return { ...added, id: await this.database.em.insert(PersonaTable, added) };
  }

  async addFirst(persona: NewPersona): Promise<void> {
    await this.database.run(lockMembership, persona);
    // A separate statement: its snapshot has a persona that was added while the lock was awaited.
    await this.database.run(insertFirst, persona);
  }

  find(workspaceId: number, personaId: number): Promise<Persona | null> {
    return this.database.one(findPersona, { workspaceId, personaId });
  }

  lock(workspaceId: number, personaId: number): Promise<boolean> {
    return this.database.any(lockPersona, { workspaceId, personaId });
  }

  touch(workspaceId: number, personaId: number, at: Date): Promise<boolean> {
    return this.database.any(touchPersona, { workspaceId, personaId, at });
  }

  async update(
    workspaceId: number,
    personaId: number,
    { name, title, knows, profession, customer, metadata }: Partial<PersonaProfile & CustomData>,
    updatedAt: Date,
  ): Promise<boolean> {
    const rows = await this.database.kysely
      .updateTable('personas')
      .set({ name, title, knows, profession, customer, metadata, updated_at: updatedAt })
      .where((eb) => eb.and({ id: personaId, workspace_id: workspaceId, deletion_id: null }))
      .returning('id')
      .execute();
    return rows.length > 0;
  }

  async delete(workspaceId: number, personaId: number, deletion: Deletion): Promise<number | null> {
    const persona = await this.database.one(lockForDeletion, { workspaceId, personaId });
    if (!persona) return null;
    const item = { kind: 'persona', workspaceId, itemId: personaId, boardId: null, name: persona.name } as const;
    const entryId = (await addEntries(this.database, [item], deletion))[0]!;
    await this.database.em.nativeUpdate(PersonaTable, { id: personaId }, { deletionId: entryId });
    return entryId;
  }
}

export interface PersonaId {
  readonly workspaceId: number;
  readonly personaId: number;
}

/** Selects the persona that `values` identify, as `p`; none if it is deleted. */
export function existingPersona(param: Param<PersonaId>) {
  return build
    .selectFrom('personas as p')
    .where((eb) =>
      eb.and({ 'p.id': param('personaId'), 'p.workspace_id': param('workspaceId'), 'p.deletion_id': null }),
    );
}

const NEW_PERSONA = [
  'workspaceId',
  'createdBy',
  'name',
  'title',
  'knows',
  'profession',
  'createdAt',
  ...CUSTOM_DATA,
] as const;

export const PERSONA = fieldsOf('personas', ['id', ...NEW_PERSONA, 'updatedAt'], 'p');

const lockMembership = prepared<NewPersona>()((param) =>
  build
    .selectFrom('memberships')
    .select('user_id')
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), user_id: param('createdBy') }))
    .forNoKeyUpdate(),
);

/** A member gets a first persona only while they have none that is not deleted. */
const insertFirst = prepared<NewPersona>()((param) =>
  insertFrom(
    build.insertInto('personas'),
    (eb) =>
      eb
        .selectFrom('memberships')
        .where((eb) => eb.and({ workspace_id: param('workspaceId'), user_id: param('createdBy') }))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('personas as p').where((eb) =>
                eb.and({
                  'p.created_by': param('createdBy'),
                  'p.workspace_id': param('workspaceId'),
                  'p.deletion_id': null,
                }),
              ),
            ),
          ),
        )
        .forKeyShare(),
    () => ({ ...param.columns(...NEW_PERSONA), updated_at: param('createdAt') }),
  ),
);

const findPersona = prepared<PersonaId>()((param) => existingPersona(param).select(PERSONA));

/** Makes a deletion wait, and no other change. */
const lockPersona = prepared<PersonaId>()((param) => existingPersona(param).select('p.id').forKeyShare());

const touchPersona = prepared<PersonaId & { at: Date }>()((param) =>
  build
    .updateTable('personas')
    .set({ updated_at: sql<Date>`greatest(updated_at, ${param('at')})` })
    .where((eb) => eb.and({ id: param('personaId'), workspace_id: param('workspaceId'), deletion_id: null }))
    .returning('id'),
);

const lockForDeletion = prepared<PersonaId>()((param) => existingPersona(param).select('p.name').forUpdate());
