import { InMemoryTeamStore } from './in-memory-team-store.ts';
import { invitationsContract } from './invitations-contract.ts';
import { membersContract } from './members-contract.ts';

membersContract('in memory', async () => new InMemoryTeamStore());
invitationsContract('in memory', async () => new InMemoryTeamStore());
