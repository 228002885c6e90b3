import { randomUUID } from 'node:crypto';
import {
  PostgresAccounts,
  PostgresPersonas,
  PostgresPersonaViews,
  PostgresTrainings,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import { someone } from '#testing/identity';
import type { PersonaStores } from '#testing/persona';

/** The stores of personas on PostgreSQL. */
export function personaStoresOn(database: Database): PersonaStores {
  const accounts = new PostgresAccounts(database);
  return {
    personas: new PostgresPersonas(database),
    trainings: new PostgresTrainings(database),
    views: new PostgresPersonaViews(database),
    unitOfWork: new PostgresUnitOfWork(database),
    newWorkspace: async () => {
      const { user, workspaceId } = await accounts.open(someone());
      return { workspaceId, userId: user.id };
    },
    newFile: async (workspaceId, personaId, contentType = 'image/png') => {
      const { id, key } = await database.kysely
        .insertInto('files')
        .values({
          workspace_id: workspaceId,
          persona_id: personaId,
          origin: 'import',
          key: `files/${randomUUID()}/picture.png`,
          filename: 'picture.png',
          size: 1,
          content_type: contentType,
          created_at: new Date(),
        })
        .returning(['id', 'key'])
        .executeTakeFirstOrThrow();
      return { id, key, contentType };
    },
  };
}
