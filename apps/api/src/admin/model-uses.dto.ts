import type { PostgresModelUses } from '#adapters/postgres';
import { dtoOf, IntegerField, ListField, ObjectField, TextField, TimeField } from '../http/index.ts';

class OfWorkspaceDto {
  @IntegerField('Identifier.', { example: 3 }) id!: number;
  @TextField('Its name.', { example: 'Studio portrait' }) name!: string;
  @IntegerField('Its workspace.', { example: 7 }) workspace_id!: number;
}

export class PresetUseDto extends OfWorkspaceDto {
  @IntegerField('Identifier of the user who made it.', { example: 7 }) user_id!: number;
}

export class StyleUseDto extends OfWorkspaceDto {
  @IntegerField('Its persona.', { example: 12 }) persona_id!: number;
}

export class BatchUseDto extends OfWorkspaceDto {
  @IntegerField('Its open cells that name the model.', { example: 20 }) cells!: number;
}

export class CallerDto {
  @IntegerField('Identifier of the user.', { example: 7 }) user_id!: number;
  @TextField('Their e-mail; null once the account is erased.', { example: 'ada@example.com', nullable: true })
  email!: string | null;
  @IntegerField('The workspace of the calls.', { example: 7 }) workspace_id!: number;
  @IntegerField('Generations that name the model.', { example: 120 }) calls!: number;
  @TimeField('When the last one was requested.') last_at!: Date;
}

export class UseCountsDto {
  @IntegerField('Presets.', { example: 1 }) presets!: number;
  @IntegerField('Styles.', { example: 0 }) styles!: number;
  @IntegerField('Open batches.', { example: 0 }) batches!: number;
  @IntegerField('Callers of the last 30 days.', { example: 1 }) callers!: number;
}

export class ModelUsesResponse {
  @ObjectField(() => UseCountsDto, 'How many there are: the lists have at most 100 of each.') counts!: UseCountsDto;
  @ListField(() => PresetUseDto, 'Presets, newest first.') presets!: PresetUseDto[];
  @ListField(() => StyleUseDto, 'Styles that it has trained, newest first.') styles!: StyleUseDto[];
  @ListField(() => BatchUseDto, 'Batches with open cells of the model, newest first.') batches!: BatchUseDto[];
  @ListField(() => CallerDto, 'Who has named it in the last 30 days, the most calls first.') callers!: CallerDto[];
}

type Uses = Awaited<ReturnType<PostgresModelUses['read']>>;

export function modelUsesDto([presets, styles, batches, callers]: Uses): ModelUsesResponse {
  const countOf = ([first]: readonly { readonly total: number }[]) => first?.total ?? 0;
  return {
    counts: {
      presets: countOf(presets),
      styles: countOf(styles),
      batches: countOf(batches),
      callers: countOf(callers),
    },
    presets: presets.map((each) => dtoOf(PresetUseDto, each)),
    styles: styles.map((each) => dtoOf(StyleUseDto, each)),
    batches: batches.map((each) => dtoOf(BatchUseDto, each)),
    callers: callers.map((each) => dtoOf(CallerDto, each)),
  };
}
