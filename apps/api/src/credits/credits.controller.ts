import { Controller, Get, Inject, Module } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Credits } from '#credits';
import type { Actor } from '#identity';
import { CreditsModule } from '#wiring';
import { CurrentActor, Responds } from '../http/index.ts';
import { CreditsResponse, creditsResponse } from './credits.dto.ts';

@ApiTags('Credits')
@Controller('v2/credits')
export class CreditsController {
  constructor(@Inject(Credits) private readonly credits: Credits) {}

  @Get()
  @Responds(200, CreditsResponse, { summary: 'What the workspace has left this month' })
  async getCredits(@CurrentActor() { workspaceId, plan }: Actor): Promise<CreditsResponse> {
    return creditsResponse(plan, await this.credits.current(workspaceId, plan));
  }
}

@Module({ imports: [CreditsModule], controllers: [CreditsController] })
export class CreditsApiModule {}
