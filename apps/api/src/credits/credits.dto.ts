import type { CurrentCredits } from '#credits';
import { FREE_PLAN } from '#identity';
import { IntegerField, ObjectField, TextField } from '../http/index.ts';

export class CreditsDto {
  @IntegerField("This month's allocation.", { example: 100 }) purchased!: number;
  @IntegerField('Reserved or charged of it.', { example: 12 }) used!: number;
  @IntegerField('What is left of it.', { example: 88 }) available!: number;
}

export class CreditsResponse {
  @ObjectField(() => CreditsDto, 'Credits of the workspace in this calendar month, UTC.') credits!: CreditsDto;

  @TextField('Identifier of the plan the workspace subscribes to; null on `free`.', { example: 'pro', nullable: true })
  subscription!: string | null;
}

export function creditsResponse(plan: string, { allocation, used, available }: CurrentCredits): CreditsResponse {
  return { credits: { purchased: allocation, used, available }, subscription: plan === FREE_PLAN ? null : plan };
}
