import { Module } from '@nestjs/common';
import { Database, PostgresInvitations, PostgresMembers, PostgresTeamViews } from '#adapters/postgres';
import { Accounts } from '#identity';
import { Invitations, Members, type InvitationStore, type MemberStore, type TeamViews } from '#team';
import { accountStore, IdentityModule, passwords, teamStore, tokenSecrets } from './identity.module.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provideAs, provideWith, token } from './provide.ts';

export const memberStore = token<MemberStore>('MemberStore');
export const invitationStore = token<InvitationStore>('InvitationStore');
export const teamViews = token<TeamViews>('TeamViews');

/** Teams: members, roles and invitations. */
@Module({
  imports: [IdentityModule],
  providers: [
    provideAs(memberStore, PostgresMembers, Database),
    provideAs(invitationStore, PostgresInvitations, Database),
    provideAs(teamViews, PostgresTeamViews, Database),
    provideWith(Members, {
      accountStore,
      accounts: Accounts,
      passwords,
      teams: teamStore,
      members: memberStore,
      invitations: invitationStore,
      unitOfWork,
      clock,
    }),
    provideWith(Invitations, {
      accounts: accountStore,
      teams: teamStore,
      members: memberStore,
      invitations: invitationStore,
      secrets: tokenSecrets,
      jobs,
      unitOfWork,
      clock,
    }),
  ],
  exports: [memberStore, invitationStore, teamViews, Members, Invitations],
})
export class TeamModule {}
