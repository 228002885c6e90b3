import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '#kernel';
import type { Invitations, Members } from '#team';
import { clock, IdentityModule, invitations, members, TeamModule } from '#wiring';
import { ExistenceChecks } from '../http/index.ts';
import { InvitationsController } from './invitations.controller.ts';
import { MembersController } from './members.controller.ts';
import { TeamController } from './team.controller.ts';

@Module({
  imports: [IdentityModule, TeamModule],
  controllers: [InvitationsController, MembersController, TeamController],
})
export class TeamApiModule implements OnModuleInit {
  constructor(
    @Inject(ExistenceChecks) private readonly checks: ExistenceChecks,
    @Inject(members) private readonly members: Members,
    @Inject(invitations) private readonly invitations: Invitations,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.checks.register('member', async ({ workspaceId }, userId) => {
      return (await this.members.find(workspaceId, userId)) !== null;
    });
    this.checks.register('invitation', ({ workspaceId }, id) => {
      return this.invitations.isPending(workspaceId, id, this.clock.now());
    });
  }
}
