import type { AssignableRole } from '#team';
import type { TestService } from './service.ts';
import { newMember, newTeam, teamStoresOn, withToken, type TestMember } from './team-store.ts';

/** A team on the service, whose owner and members have tokens. */
export async function teamOf({ database }: Pick<TestService, 'database'>) {
  const store = teamStoresOn(database.database);
  const team = await newTeam(store);
  const caller = async (user: TestMember) => ({ ...(await withToken(store, user)), id: user.userId });
  /** Adds a member. */
  const member = async (role: AssignableRole = 'member') => caller(await newMember(store, team, role));
  return { ...team, store, owner: await caller(team.owner), member };
}

/** A member, or the owner, with a token. */
export type TeamCaller = Awaited<ReturnType<typeof teamOf>>['owner'];
