import { Database, PostgresInvitations, PostgresMembers, PostgresTeams, PostgresTeamViews } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { Accounts, Gate } from '#identity';
import { Invitations, Members, type InvitationStore, type MemberStore, type TeamViews } from '#team';
import { eventLog, EventsModule } from './events.module.ts';
import { accountStore, IdentityModule, passwords, plans } from './identity.module.ts';
import { auditLog, clock, jobs, settings, unitOfWork } from './platform.ts';
import { provideAs, provideMade, provideWith, SharedModule, token } from './provide.ts';

export const memberStore = token<MemberStore>('MemberStore');
export const invitationStore = token<InvitationStore>('InvitationStore');
export const teamViews = token<TeamViews>('TeamViews');
const limitsMails = token<boolean>('LimitsInvitationMails');
const stores = { teams: PostgresTeams, members: memberStore, invitations: invitationStore };

/** Teams: members, roles and invitations. */
@SharedModule(
  [EventsModule, IdentityModule],
  provideAs(memberStore, PostgresMembers, Database),
  provideAs(invitationStore, PostgresInvitations, Database),
  provideAs(teamViews, PostgresTeamViews, Database),
  provideWith(Members, {
    accountStore,
    accounts: Accounts,
    auditLog,
    gate: Gate,
    passwords,
    ...stores,
    additions: Invitations,
    events: eventLog,
    unitOfWork,
    clock,
  }),
  provideMade(limitsMails, [settings], ({ http }) => http.rateLimitPerMinute > 0),
  provideWith(Invitations, {
    auditLog,
    gate: Gate,
    accounts: accountStore,
    ...stores,
    limitsMails,
    secrets: RandomTokenSecrets,
    events: eventLog,
    plans,
    jobs,
    unitOfWork,
    clock,
  }),
)
export class TeamModule {}
