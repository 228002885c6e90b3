import type { CreditsView } from '#credits';
import { IntegerField, ObjectField, TextField } from '../http/index.ts';

export class CreditsOfMonth {
  @IntegerField({ description: "This month's allocation.", example: 100 })
  purchased!: number;

  @IntegerField({ description: 'Reserved or charged of it.', example: 12 })
  used!: number;

  @IntegerField({ description: 'What is left of it.', example: 88 })
  available!: number;
}

export class CreditsAnswer {
  @ObjectField(() => CreditsOfMonth, { description: 'Credits of the workspace in this calendar month, UTC.' })
  credits!: CreditsOfMonth;

  @TextField({
    description: 'Identifier of the plan the workspace subscribes to; null on `free`.',
    example: 'pro',
    nullable: true,
  })
  subscription!: string | null;
}

export function creditsAnswer({ subscription, ...credits }: CreditsView): CreditsAnswer {
  return { credits, subscription };
}
