import type { JsonObject } from '#catalogue';
import { trialExpiresAt, type Trial, type TrialOutput } from '#generation';
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
import { GenerationErrorDto } from '../generation/generation.dto.ts';

/** States of a trial as operators see them. */
const SHOWN = ['queued', 'running', 'succeeded', 'failed'] as const;

export class TryModelRequest {
  @JsonField('An entry to try before it is saved, as in a catalogue file; absent for the entry in the catalogue.', {
    required: false,
    example: { kind: 'image', provider: 'fal', target: 'fal-ai/flux/dev', mapping: { prompt: '{prompt}' }, cost: 4 },
  })
  entry?: JsonObject;

  @TextField('What to make.', { example: 'a fox in the snow', max: 10_000, required: false, nullable: true })
  prompt?: string | null;

  @JsonField('The parameters of the model, by name.', { required: false, example: { seed: 7 } })
  parameters?: Readonly<Record<string, unknown>>;

  @JsonField(
    'The pictures for the inputs of the model: an http or https URL, or a data URL, for each of `image`, `style`, ' +
      '`mask` and `control`, and a list of them for `references`.',
    { required: false, example: { image: 'https://example.com/room.png' } },
  )
  inputs?: Readonly<Record<string, unknown>>;
}

export class TrialOutputDto {
  @TextField('URL of its bytes, for operators.', { example: '/admin/api/trials/3/outputs/1' }) url!: string;
  @TextField('Type of the file.', { example: 'image/png' }) content_type!: string;
  @IntegerField('Size of the file.', { example: 102_400 }) bytes!: number;
  @IntegerField('Pixels; null if unknown.', { example: 1024, nullable: true }) width!: number | null;
  @IntegerField('Pixels; null if unknown.', { example: 1024, nullable: true }) height!: number | null;
  @NumberField('Seconds of a video; null for other outputs.', { example: null, nullable: true })
  duration!: number | null;
  @TextField('What a mask shows; null for other outputs.', { example: null, nullable: true }) label!: string | null;
  @NumberField('How certain the label is, 0 to 1; null if unknown.', { example: null, nullable: true })
  score!: number | null;
}

export class TrialDto {
  @IntegerField('Identifies the trial.', { example: 3 }) id!: number;
  @TextField('The model that is tried.', { example: 'fluw' }) model!: string;
  @ChoiceField(SHOWN, '`running` from the request to the vendor.', { example: 'succeeded' })
  state!: (typeof SHOWN)[number];
  @IntegerField('Credits that a caller would be charged; the trial costs none.', { example: 4 }) credits!: number;
  @NumberField(
    "What the vendor billed, in the vendor's currency; null while it is unknown or the vendor does not say.",
    { example: 0.025, nullable: true },
  )
  vendor_cost!: number | null;
  @NumberField('From the request to the vendor to the stored outputs; null until it has ended.', {
    example: 4.2,
    nullable: true,
  })
  seconds!: number | null;
  @ListField(() => TrialOutputDto, 'Empty until it has succeeded.') outputs!: readonly TrialOutputDto[];
  @ObjectField(
    () => GenerationErrorDto,
    'Why it failed, with details that callers do not get; null unless it failed.',
    { nullable: true },
  )
  error!: GenerationErrorDto | null;
  @TimeField('When it was requested.') created_at!: Date;
  @TimeField('When the trial and its outputs are deleted.') expires_at!: Date;
}

export class TrialResponse {
  @ObjectField(() => TrialDto, 'The trial.') trial!: TrialDto;
}

export function trialDto(trial: Trial): TrialDto {
  const { id, model, credits, createdAt } = trial;
  const isSuccess = trial.state === 'succeeded';
  const hasEnded = isSuccess || trial.state === 'failed';
  const seconds = hasEnded && trial.startedAt && (trial.finishedAt.getTime() - trial.startedAt.getTime()) / 1000;
  return {
    id,
    model,
    state: trial.state === 'sent' || trial.state === 'submitted' ? 'running' : trial.state,
    credits,
    vendor_cost: isSuccess ? trial.vendorCost : null,
    seconds: seconds || null,
    outputs: isSuccess ? trial.outputs.map((output, index) => outputDto(id, output, index + 1)) : [],
    error: trial.state === 'failed' ? trial.error : null,
    created_at: createdAt,
    expires_at: trialExpiresAt(trial),
  };
}

function outputDto(id: number, { key: _, contentType, ...facts }: TrialOutput, position: number): TrialOutputDto {
  return { url: `/admin/api/trials/${id}/outputs/${position}`, content_type: contentType, ...facts };
}
