import { Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Actor } from '#identity';
import { ReadTeamCredits, ReadTeamInfo, ReadTeamUsage, TransferOwnership } from '#team';
import { Responds, CurrentActor, RequestBody, RequestQuery, May } from '../http/index.ts';
import { MemberAnswer } from './member-answers.ts';
import { TransferOwnershipForm } from './member-forms.ts';
import { memberView } from './member-view.ts';
import {
  TeamCreditsAnswer,
  teamCreditsAnswer,
  TeamInfoAnswer,
  teamInfoAnswer,
  TeamUsageAnswer,
  teamUsageAnswer,
} from './team-answers.ts';
import { UsageQuery } from './usage-query.ts';

@ApiTags('Team')
@Controller('v2/team')
export class TeamController {
  constructor(
    @Inject(ReadTeamInfo) private readonly readTeamInfo: ReadTeamInfo,
    @Inject(ReadTeamCredits) private readonly readTeamCredits: ReadTeamCredits,
    @Inject(ReadTeamUsage) private readonly readTeamUsage: ReadTeamUsage,
    @Inject(TransferOwnership) private readonly transferOwnership: TransferOwnership,
  ) {}

  @Get('info')
  @May('team.read')
  @Responds(200, TeamInfoAnswer, {
    summary: "The caller's team, and their place in it",
  })
  async getInfo(@CurrentActor() actor: Actor): Promise<TeamInfoAnswer> {
    return teamInfoAnswer(await this.readTeamInfo.run(actor));
  }

  @Get('credits')
  @May('team.read')
  @Responds(200, TeamCreditsAnswer, {
    summary: "The team's balance and subscription",
  })
  async getCredits(@CurrentActor() actor: Actor): Promise<TeamCreditsAnswer> {
    return teamCreditsAnswer(await this.readTeamCredits.run(actor));
  }

  @Get('usage')
  @May('team.read')
  @Responds(200, TeamUsageAnswer, {
    summary: "Who used how much of a month's credits",
  })
  async getUsage(@CurrentActor() actor: Actor, @RequestQuery() query: UsageQuery): Promise<TeamUsageAnswer> {
    return teamUsageAnswer(await this.readTeamUsage.run(actor, query.month ?? null));
  }

  @Post('transfer_ownership')
  @May('team.transfer_ownership')
  @Responds(200, MemberAnswer, {
    summary: 'Make another member the owner',
    description: 'For the owner alone, who becomes an admin. Answers the new owner.',
    errors: ['not_found', 'invalid_role_change'],
  })
  async postOwnership(
    @CurrentActor() actor: Actor,
    @RequestBody() form: TransferOwnershipForm,
  ): Promise<MemberAnswer> {
    return { member: memberView(await this.transferOwnership.run(actor, form.user_id)) };
  }
}
