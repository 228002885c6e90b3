import { afterAll, beforeAll } from '@jest/globals';
import {
  PostgresAccounts,
  PostgresCreditAudit,
  PostgresCreditLedger,
  PostgresUnitOfWork,
} from '#adapters/postgres';
import { creditLedgerContract, type CreditLedgerSetting } from '#testing/credits';
import { someone } from '#testing/identity';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createDatabase({ poolSize: 25 });
});
afterAll(() => db.drop());

const onPostgres = async (): Promise<CreditLedgerSetting> => {
  const accounts = new PostgresAccounts(db.database);
  const audit = new PostgresCreditAudit(db.database);
  const open = async () => {
    const { user, workspaceId } = await accounts.open(someone());
    return { workspaceId, userId: user.id };
  };
  return {
    ledger: new PostgresCreditLedger(db.database),
    unitOfWork: new PostgresUnitOfWork(db.database),
    newWorkspace: open,
    newMember: async () => (await open()).userId,
    newGenerations: async (workspaceId, userId, count) => {
      const rows = await db.database.query<{ id: number }>(
        `insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)
         select $1, $2, 'test', 'image', 'queued', '{}', 1, now() from generate_series(1, $3) returning id`,
        [workspaceId, userId, count],
      );
      return rows.map(({ id }) => id);
    },
    faults: () => audit.faults(),
  };
};

creditLedgerContract('PostgreSQL', onPostgres);
