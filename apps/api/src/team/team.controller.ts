import { Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { monthOf, pastMonth } from '#credits';
import { may, type Actor, type Plans } from '#identity';
import type { Clock } from '#kernel';
import { Members, type TeamViews } from '#team';
import { clock, plans, teamViews } from '#wiring';
import { CurrentActor, May, RequestBody, RequestQuery, Responds } from '../http/index.ts';
import {
  memberDto,
  MemberResponse,
  TeamCreditsResponse,
  teamCreditsResponse,
  TeamInfoResponse,
  teamInfoResponse,
  TeamUsageResponse,
  teamUsageResponse,
  TransferOwnershipRequest,
  UsageQuery,
  type TeamReading,
} from './team.dto.ts';

@ApiTags('Team')
@Controller('v2/team')
export class TeamController {
  constructor(
    @Inject(teamViews) private readonly views: TeamViews,
    @Inject(Members) private readonly members: Members,
    @Inject(plans) private readonly plans: Plans,
    @Inject(clock) private readonly clock: Clock,
  ) {}

  @Get('info')
  @May('team.read')
  @Responds(200, TeamInfoResponse, { summary: "Read the caller's team and their place in it" })
  async getInfo(@CurrentActor() actor: Actor): Promise<TeamInfoResponse> {
    return teamInfoResponse(await this.read(actor));
  }

  @Get('credits')
  @May('team.read')
  @Responds(200, TeamCreditsResponse, { summary: "Read the team's balance and subscription" })
  async getCredits(@CurrentActor() actor: Actor): Promise<TeamCreditsResponse> {
    return teamCreditsResponse(await this.read(actor));
  }

  @Get('usage')
  @May('team.read')
  @Responds(200, TeamUsageResponse, { summary: "Read who used how much of a month's credits" })
  async getUsage(@CurrentActor() actor: Actor, @RequestQuery() query: UsageQuery): Promise<TeamUsageResponse> {
    const now = this.clock.now();
    const month = query.month === undefined ? monthOf(now) : pastMonth(query.month, now);
    const onlyUserId = may('team.read_usage_of_others', actor) ? null : actor.userId;
    return teamUsageResponse(month, await this.views.usage(actor.workspaceId, month, onlyUserId));
  }

  @Post('transfer_ownership')
  @May('team.transfer_ownership')
  @Responds(200, MemberResponse, {
    summary: 'Make another member the owner',
    description: 'Only for the owner, who becomes an admin. Responds with the new owner.',
    errors: ['not_found', 'invalid_role_change'],
  })
  async postOwnership(
    @CurrentActor() actor: Actor,
    @RequestBody() body: TransferOwnershipRequest,
  ): Promise<MemberResponse> {
    return { member: memberDto(await this.members.transferOwnership(actor, body.user_id)) };
  }

  private async read(actor: Actor): Promise<TeamReading> {
    const now = this.clock.now();
    const overview = await this.views.overview(actor.workspaceId, monthOf(now));
    return { actor, overview, plans: this.plans, now };
  }
}
