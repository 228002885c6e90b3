import { randomUUID } from 'node:crypto';
import {
  PostgresAccounts,
  PostgresPersonas,
  PostgresTrainings,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import { someone } from '#testing/identity';
import type { PersonaStore } from '#testing/persona';

/** The store of personas on PostgreSQL, for the suites of its ports. */
export function personaStoreOn(database: Database): PersonaStore {
  const accounts = new PostgresAccounts(database);
  return {
    personas: new PostgresPersonas(database),
    trainings: new PostgresTrainings(database),
    unitOfWork: new PostgresUnitOfWork(database),
    newWorkspace: async () => {
      const { user, workspaceId } = await accounts.open(someone());
      return { workspaceId, userId: user.id };
    },
    newFile: async (workspaceId, personaId) => {
      const file = await database.one<{ id: number; key: string }>(
        `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at)
         values ($1, $2, 'import', $3, 'picture.png', 1, 'image/png', now())
         returning id, key`,
        [workspaceId, personaId, `files/${randomUUID()}/picture.png`],
      );
      return file!;
    },
  };
}
