import { Module } from '@nestjs/common';
import { Database, PostgresInvitations, PostgresMembers, PostgresTeamViews } from '#adapters/postgres';
import { OpenAccount } from '#identity';
import {
  AddMember,
  ChangeRole,
  InviteMember,
  ListInvitations,
  ListMembers,
  ReadTeamCredits,
  ReadTeamInfo,
  ReadTeamUsage,
  RemoveMember,
  RespondToInvitation,
  RevokeInvitation,
  TransferOwnership,
  type Invitations,
  type Members,
  type TeamViews,
} from '#team';
import { creditLedger, CreditsModule } from './credits.module.ts';
import { accounts, IdentityModule, passwords, plans, teams, tokenSecrets } from './identity.module.ts';
import { clock, jobs, unitOfWork } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';

export const members = token<Members>('Members');
export const invitations = token<Invitations>('Invitations');
const teamViews = token<TeamViews>('TeamViews');

/** Teams: their members, roles, invitations, and what they use. */
@Module({
  imports: [CreditsModule, IdentityModule],
  providers: [
    provideAs(members, PostgresMembers, Database),
    provideAs(invitations, PostgresInvitations, Database),
    provideAs(teamViews, PostgresTeamViews, Database),
    provide(AddMember, accounts, OpenAccount, passwords, teams, members, invitations, unitOfWork, clock),
    provide(ChangeRole, members, unitOfWork),
    provide(InviteMember, accounts, members, invitations, jobs, unitOfWork, clock),
    provide(ListInvitations, invitations, clock),
    provide(ListMembers, members),
    provide(ReadTeamCredits, creditLedger, plans, clock),
    provide(ReadTeamInfo, teamViews, plans, clock),
    provide(ReadTeamUsage, teamViews, clock),
    provide(RemoveMember, members, unitOfWork),
    provide(RespondToInvitation, invitations, teams, tokenSecrets, unitOfWork, clock),
    provide(RevokeInvitation, members, invitations, unitOfWork, clock),
    provide(TransferOwnership, members, unitOfWork),
  ],
  exports: [
    members,
    invitations,
    AddMember,
    ChangeRole,
    InviteMember,
    ListInvitations,
    ListMembers,
    ReadTeamCredits,
    ReadTeamInfo,
    ReadTeamUsage,
    RemoveMember,
    RespondToInvitation,
    RevokeInvitation,
    TransferOwnership,
  ],
})
export class TeamModule {}
