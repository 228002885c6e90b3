import {
  PostgresAccounts,
  PostgresInvitations,
  PostgresMembers,
  PostgresTeams,
  PostgresTokens,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import type { TeamStore } from '#testing/team';

/** The store of teams on PostgreSQL, for the suites of its ports. */
export function teamStoreOn(database: Database): TeamStore & { readonly unitOfWork: PostgresUnitOfWork } {
  return {
    accounts: new PostgresAccounts(database),
    teams: new PostgresTeams(database),
    tokens: new PostgresTokens(database),
    members: new PostgresMembers(database),
    invitations: new PostgresInvitations(database),
    unitOfWork: new PostgresUnitOfWork(database),
  };
}
