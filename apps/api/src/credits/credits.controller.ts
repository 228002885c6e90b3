import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ReadCredits } from '#credits';
import type { Actor } from '#identity';
import { Responds, CurrentActor } from '../http/index.ts';
import { CreditsAnswer, creditsAnswer } from './credits-answer.ts';

@ApiTags('Credits')
@Controller('v2/credits')
export class CreditsController {
  constructor(@Inject(ReadCredits) private readonly readCredits: ReadCredits) {}

  @Get()
  @Responds(200, CreditsAnswer, { summary: 'What the workspace has left this month' })
  async getCredits(@CurrentActor() actor: Actor): Promise<CreditsAnswer> {
    return creditsAnswer(await this.readCredits.run(actor));
  }
}
