import {
  GENERATION_STATES,
  type GenerationState,
  type GenerationView as Generation,
  type ModelKind,
} from '#generation';
import {
  ChoiceField,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  TimeField,
} from '../http/index.ts';
import { InputsView, inputsView } from './inputs-view.ts';
import { processingUrlOf } from './processing-url.ts';

export class OutputView {
  @TextField({
    description: 'Public URL of the file.',
    example: 'https://files.example.com/files/9f/generation-12.png',
    format: 'uri',
  })
  url!: string;

  @TextField({ description: 'Media type.', example: 'image/png' })
  content_type!: string;

  @IntegerField({ description: 'Pixels.', example: 1024, min: 1 })
  width!: number;

  @IntegerField({ description: 'Pixels.', example: 768, min: 1 })
  height!: number;

  @NumberField({ description: 'Seconds; null for a picture.', example: null, nullable: true })
  duration!: number | null;
}

export class GenerationErrorView {
  @TextField({ description: 'For programs.', example: 'url_unreachable' })
  code!: string;

  @TextField({ description: 'For people.', example: 'the image could not be fetched' })
  message!: string;
}

/** A generation as the API shows it. */
export class GenerationView {
  @IntegerField({ description: 'Identifier of the generation.', example: 12 })
  id!: number;

  @ChoiceField(GENERATION_STATES, { description: 'Its state.', example: 'succeeded' })
  state!: GenerationState;

  @NumberField({ description: 'How far it is.', example: 1, min: 0, max: 1 })
  progress!: number;

  @TextField({ description: 'The generator.', example: 'local-image' })
  model!: string;

  @ChoiceField(['image', 'video'], { description: 'What it makes.', example: 'image' })
  kind!: ModelKind;

  @IntegerField({
    description: 'The persona whose files the outputs are; null once it is deleted.',
    example: 12,
    nullable: true,
  })
  pid!: number | null;

  @IntegerField({ description: 'Identifier of the user who asked for it.', example: 7 })
  user_id!: number;

  @TextField({ description: 'What was asked for.', example: 'a fox in the snow', nullable: true })
  prompt!: string | null;

  @JsonField({ description: 'The parameters of the model.', example: { count: 1, seed: 7 } })
  parameters!: object;

  @ObjectField(() => InputsView, { description: 'The pictures that it is made from.' })
  inputs!: InputsView;

  @ListField(() => OutputView, {
    description: 'What came out, once it succeeded; without files that are deleted.',
  })
  outputs!: OutputView[];

  @ObjectField(() => GenerationErrorView, { description: 'Why it failed.', nullable: true })
  error!: GenerationErrorView | null;

  @IntegerField({
    description: 'Credits: reserved while it is open, charged once it succeeded, returned otherwise.',
    example: 4,
    min: 0,
  })
  cost!: number;

  @TextField({ description: 'What to poll `/v2/results` with.', example: 'gen_12' })
  processing_url!: string;

  @TimeField({ description: 'When it was asked for.' })
  created_at!: Date;

  @TimeField({ description: 'When it was first started.', nullable: true })
  started_at!: Date | null;

  @TimeField({ description: 'When it ended.', nullable: true })
  finished_at!: Date | null;
}

export function generationView(generation: Generation): GenerationView {
  const { id, state, progress, model, kind, prompt, parameters, error, cost } = generation;
  return {
    id,
    state,
    progress,
    model,
    kind,
    pid: generation.personaId,
    user_id: generation.userId,
    prompt,
    parameters,
    inputs: inputsView(kind, generation.imageUrl, generation.styleReferenceUrl),
    outputs: generation.outputs.map(({ url, contentType, width, height, duration }) => ({
      url,
      content_type: contentType,
      width,
      height,
      duration,
    })),
    error,
    cost,
    processing_url: processingUrlOf(id),
    created_at: generation.createdAt,
    started_at: generation.startedAt,
    finished_at: generation.finishedAt,
  };
}
