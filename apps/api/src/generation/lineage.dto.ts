import { MODEL_KINDS, type ModelKind } from '#catalogue';
import type { FileUrls } from '#files';
import { GENERATION_STATES, type GenerationState, type GenerationView, type Lineage } from '#generation';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ListField,
  ObjectField,
  TextField,
  TimeField,
} from '../http/index.ts';
import { OutputDto, outputReferenceDto, OutputReferenceDto, outputsDto, RequestedModel } from './generation.dto.ts';

/** A generation in the lineage of another. */
export class RelativeDto {
  @IntegerField('Identifier of the generation.', { example: 11 }) id!: number;
  @ObjectField(() => OutputReferenceDto, 'The output that it goes on from.', { nullable: true })
  parent!: OutputReferenceDto | null;
  @ChoiceField(GENERATION_STATES, 'State of the generation.', { example: 'succeeded' }) state!: GenerationState;
  @TextField('The model.', { example: 'local-image' }) model!: string;
  @RequestedModel() requested_model!: string;
  @ChoiceField(MODEL_KINDS, 'Kind of output.', { example: 'image' }) kind!: ModelKind;
  @TextField('What to generate.', { example: 'a fox in the snow', nullable: true }) prompt!: string | null;
  @IntegerField('Credits: reserved until it ends, then charged.', { example: 4, min: 0 }) cost!: number;
  @IntegerField('Identifier of the user who requested it.', { example: 7 }) user_id!: number;

  @ListField(() => OutputDto, 'The outputs, without deleted files; of an ancestor the one that was gone on from.')
  outputs!: OutputDto[];

  @TimeField('When it was requested.') created_at!: Date;
}

export class LineageResponse {
  @ListField(() => RelativeDto, 'Where the generation came from, oldest first: at most 100, the nearest.')
  ancestors!: RelativeDto[];

  @ListField(() => RelativeDto, 'What came of it, oldest first: the newest, so that both lists have 200 at most.')
  descendants!: RelativeDto[];

  @BooleanField('Whether there are no further ancestors and descendants.', { example: true }) is_complete!: boolean;
}

export function lineageResponse(lineage: Lineage<GenerationView>, urls: FileUrls): LineageResponse {
  const relativeDto = (view: GenerationView): RelativeDto => {
    const { model, requestedModel, kind, prompt, cost, userId, createdAt } = view.request;
    return {
      ...{ id: view.id, state: view.state, model, requested_model: requestedModel, kind, prompt, cost },
      parent: outputReferenceDto(view.request),
      user_id: userId,
      outputs: outputsDto(view, urls),
      created_at: createdAt,
    };
  };
  const { ancestors, descendants, isComplete } = lineage;
  return { ancestors: ancestors.map(relativeDto), descendants: descendants.map(relativeDto), is_complete: isComplete };
}
