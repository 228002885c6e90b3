import {
  PostgresCreditAudit,
  PostgresCreditLedger,
  PostgresCreditViews,
  PostgresCustomers,
  PostgresTokens,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { aToken } from '#testing/identity';
import { newWorkspace } from './database.ts';

export type CreditStore = ReturnType<typeof creditStoreOn>;

/** The credit ledger on PostgreSQL, and what its entries refer to. */
export function creditStoreOn(database: Database) {
  return {
    ledger: new PostgresCreditLedger(database),
    audit: new PostgresCreditAudit(database),
    views: new PostgresCreditViews(database),
    customers: new PostgresCustomers(database),
    unitOfWork: new PostgresUnitOfWork(database),
    newWorkspace: () => newWorkspace(database),
    newToken: async (userId: number): Promise<number> => {
      const secrets = new RandomTokenSecrets();
      const token = aToken({ userId, hash: secrets.hash(secrets.create()), name: 'limited' });
      return (await new PostgresTokens(database).add({ ...token, monthlyCredits: 10 })).id;
    },
    newGenerations: async (workspaceId: number, userId: number, count: number) => {
      const generation = {
        workspace_id: workspaceId,
        user_id: userId,
        model: 'test',
        kind: 'image',
        state: 'queued',
        parameters: {},
        cost: 1,
        created_at: new Date(),
      } as const;
      const rows = await database.kysely
        .insertInto('generations')
        .values(Array.from({ length: count }, () => generation))
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
