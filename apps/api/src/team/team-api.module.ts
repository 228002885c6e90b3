import { Inject, Module } from '@nestjs/common';
import type { Clock } from '#kernel';
import type { InvitationStore, MemberStore } from '#team';
import { clock as systemTime, IdentityModule, invitationStore, memberStore, TeamModule } from '#wiring';
import { ExistenceChecks } from '../http/index.ts';
import { InvitationsController } from './invitations.controller.ts';
import { MembersController } from './members.controller.ts';
import { TeamController } from './team.controller.ts';

@Module({
  imports: [IdentityModule, TeamModule],
  controllers: [InvitationsController, MembersController, TeamController],
})
export class TeamApiModule {
  constructor(
    @Inject(ExistenceChecks) checks: ExistenceChecks,
    @Inject(memberStore) members: MemberStore,
    @Inject(invitationStore) invitations: InvitationStore,
    @Inject(systemTime) clock: Clock,
  ) {
    checks.register('member', async ({ workspaceId }, userId) => {
      return (await members.find(workspaceId, userId)) !== null;
    });
    checks.register('invitation', ({ workspaceId }, id) => invitations.isPending(workspaceId, id, clock.now()));
  }
}
