import {
  PostgresAccounts,
  PostgresInvitations,
  PostgresMembers,
  PostgresTeams,
  PostgresTeamViews,
  PostgresTokens,
  PostgresUnitOfWork,
  type Database,
} from '#adapters/postgres';
import type { TeamStores } from '#testing/team';

/** The stores of teams on PostgreSQL. */
export function teamStoresOn(database: Database): TeamStores {
  return {
    accounts: new PostgresAccounts(database),
    teams: new PostgresTeams(database),
    tokens: new PostgresTokens(database),
    members: new PostgresMembers(database),
    invitations: new PostgresInvitations(database),
    views: new PostgresTeamViews(database),
    unitOfWork: new PostgresUnitOfWork(database),
  };
}
