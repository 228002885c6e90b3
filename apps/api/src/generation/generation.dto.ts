import { MODEL_KINDS, type ModelKind } from '#catalogue';
import type { FileUrls } from '#files';
import {
  GENERATION_STATES,
  MAX_PROMPT_LENGTH,
  processingUrlOf,
  progressOf,
  type AcceptedCall,
  type GenerationFilter,
  type GenerationRequest,
  type GenerationState,
  type GenerationView,
  type InputSource,
} from '#generation';
import { PictureDto, pictureUrls } from '../files/picture.dto.ts';
import {
  BooleanField,
  ChoiceField,
  CustomDataDto,
  CustomDataRequest,
  CustomerFilter,
  dtoOf,
  IdOrWordField,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  PageResponse,
  PairField,
  TextField,
  TimeBoundField,
  TimeField,
  timeOf,
  UrlField,
} from '../http/index.ts';
import { ProcessingUrl, ProgressDto } from './results.dto.ts';

const OPTIONAL = { required: false, nullable: true } as const;
const NULLABLE_URL = { format: 'uri', nullable: true } as const;

const ExtraImage = (position: number) =>
  UrlField(
    `A further style reference, for models that take ${position === 1 ? 'any' : `${position} or more`}. ` +
      'Default for all six: the filled slots 2 to 6, if `pid` is given and `style_transfer` is absent or `persona`.',
    { example: null, ...OPTIONAL },
  );

/** An output of a generation. */
export class OutputReferenceDto {
  @IntegerField('The generation.', { example: 12, min: 1 }) generation_id!: number;
  @IntegerField('The `index` of the output.', { example: 0, min: 0, max: 32_767 }) output!: number;
}

export class GenerateRequest extends CustomDataRequest {
  @IntegerField('A preset of the workspace, which fills the fields that the call leaves out.', {
    example: null,
    min: 1,
    ...OPTIONAL,
  })
  preset_id?: number | null;

  @JsonField(
    'Values of the `{variables}` of the prompt, by name: an object of texts, in a form its JSON text. Each variable ' +
      'needs a value. Without this field, only the prompt of a preset has variables.',
    { example: { animal: 'fox' }, ...OPTIONAL },
  )
  variables?: object | null;

  @TextField(
    'The model: an `id` or alias of `GET /v2/models`. Required, unless there is a `processing_url` or a `preset_id`.',
    { example: 'local-image', max: 100, required: false },
  )
  model?: string;

  @IntegerField(
    'The persona whose slots are used, and to which the output files belong. Default: no slots, and the first ' +
      'persona that the caller created, or else a new persona named `Default`.',
    { example: 12, min: 1, ...OPTIONAL },
  )
  pid?: number | null;

  @TextField(
    'The style reference: `persona` for slot 1, `none`, or an http or https URL. Default: slot 1, if `pid` is ' +
      'given and the slot is filled.',
    { example: 'persona', max: 2048, ...OPTIONAL },
  )
  style_transfer?: string | null;

  @IdOrWordField(
    'none',
    'A trained style of the persona, or `none`. Default: its active style, if the model takes styles of its family ' +
      'and `style_transfer` is not `none`.',
    { example: null, ...OPTIONAL },
  )
  style_id?: number | 'none' | null;

  @UrlField(
    'The input image; for video models the start frame. Default: slot 7, if `pid` is given and the slot is filled.',
    { example: 'https://pictures.example.com/fox.jpg', ...OPTIONAL },
  )
  image?: string | null;

  @UrlField('The mask, for models that take one.', { example: null, ...OPTIONAL }) mask_image?: string | null;
  @UrlField('The control image, for models that take one.', { example: null, ...OPTIONAL }) control_image?:
    | string
    | null;
  @ExtraImage(1) extra_image_1?: string | null;
  @ExtraImage(2) extra_image_2?: string | null;
  @ExtraImage(3) extra_image_3?: string | null;
  @ExtraImage(4) extra_image_4?: string | null;
  @ExtraImage(5) extra_image_5?: string | null;
  @ExtraImage(6) extra_image_6?: string | null;

  @PairField(
    () => OutputReferenceDto,
    ['generation_id', 'output'],
    'An output of the workspace that this generation goes on from, for its lineage: an object, or its text, such as ' +
      '`12.0`. It is no input.',
    { example: '12.0', ...OPTIONAL },
  )
  parent?: OutputReferenceDto | null;

  @UrlField('Called once the generation has ended. Its host must be public, its port 80 or 443.', {
    example: 'https://example.com/hooks/x12',
    ...OPTIONAL,
  })
  webhook?: string | null;

  @TextField('What to generate.', { example: 'a fox in the snow', max: MAX_PROMPT_LENGTH, ...OPTIONAL }) prompt?:
    | string
    | null;
  @BooleanField('True to compute only inputs and cost.', { example: false, ...OPTIONAL }) dry_run?: boolean | null;

  @IntegerField(
    'Seconds to wait for the end: a generation that has ended by then responds with 200 and its results, otherwise with ' +
      '202 as without. A dry run does not wait.',
    { example: 30, min: 0, max: 60, ...OPTIONAL },
  )
  wait?: number | null;

  @ProcessingUrl('To poll that generation instead of starting one.', OPTIONAL) processing_url?: string | null;
}

export class InputsDto {
  @TextField('URL of the input image.', { example: 'https://example.com/fox.jpg', ...NULLABLE_URL })
  image!: string | null;

  @TextField('URL of the style reference.', { example: 'https://example.com/s.jpg', ...NULLABLE_URL })
  style_reference!: string | null;

  @TextField('URL of the input image of a video model.', { example: null, ...NULLABLE_URL })
  start_frame!: string | null;

  @ListField(() => String, 'URLs of the further style references, in order.', {
    example: ['https://example.com/s2.jpg'],
  })
  references!: readonly string[];

  @ListField(() => String, 'URLs of the pictures that a style is trained on, in order.', { example: [] })
  pictures!: readonly string[];

  @TextField('URL of the mask.', { example: null, ...NULLABLE_URL }) mask!: string | null;
  @TextField('URL of the control image.', { example: null, ...NULLABLE_URL }) control!: string | null;
}

function inputsDto({ kind, inputs }: GenerationRequest, urls: FileUrls): InputsDto {
  const urlOf = (picture: InputSource): string => ('key' in picture ? urls.urlOf(picture.key) : picture.url);
  const ifAny = (picture: InputSource | null): string | null => picture && urlOf(picture);
  const isVideo = kind === 'video';
  return {
    image: isVideo ? null : ifAny(inputs.image),
    style_reference: ifAny(inputs.style),
    start_frame: isVideo ? ifAny(inputs.image) : null,
    references: inputs.references.map(urlOf),
    mask: ifAny(inputs.mask),
    control: ifAny(inputs.control),
    pictures: inputs.pictures.map(urlOf),
  };
}

/** The trained style of a generation. */
export class UsedStyleDto {
  @IntegerField('Identifier of the style.', { example: 7 }) id!: number;
  @TextField('Its name.', { example: 'Warm oils' }) name!: string;
}

function usedStyleDto({ trainedStyle }: Pick<GenerationRequest, 'trainedStyle'>): UsedStyleDto | null {
  return trainedStyle && { id: trainedStyle.id, name: trainedStyle.name };
}

export function outputReferenceDto({ parent }: Pick<GenerationRequest, 'parent'>): OutputReferenceDto | null {
  return parent && { generation_id: parent.generationId, output: parent.output };
}

export const RequestedModel = () =>
  TextField('What the call named: the id or an alias of `model`, or of a model that it replaces.', {
    example: 'local-image',
  });

/** The request of a generation, as it was accepted. */
class CallDto extends CustomDataDto {
  @TextField('The model that runs it.', { example: 'local-image' }) model!: string;
  @RequestedModel() requested_model!: string;
  @ChoiceField(MODEL_KINDS, 'Kind of output.', { example: 'image' }) kind!: ModelKind;

  @IntegerField('Credits: reserved until it ends, charged for the outputs when it succeeds, otherwise released.', {
    example: 4,
    min: 0,
  })
  cost!: number;

  @ObjectField(() => InputsDto, 'The input pictures.') inputs!: InputsDto;

  @ObjectField(() => UsedStyleDto, 'The trained style that it uses; for the kind `style`, the style that it trains.', {
    nullable: true,
  })
  style!: UsedStyleDto | null;

  @ObjectField(() => OutputReferenceDto, 'The output that it goes on from.', { nullable: true })
  parent!: OutputReferenceDto | null;
}

export class DryRunResponse extends CallDto {
  @BooleanField('Always true: nothing was run or charged.', { example: true }) dry_run!: true;
  @JsonField('The validated parameters of the model, with defaults.', { example: { count: 1 } }) parameters!: object;
}

export class GenerateResponse extends CallDto {
  @IntegerField('Identifier of the generation.', { example: 12 }) generation_id!: number;
  @ChoiceField(GENERATION_STATES, 'State of the generation.', { example: 'queued' }) state!: GenerationState;
  @BooleanField('True until it ends.', { example: true }) processing!: boolean;
  @TextField('Send it to `/v2/results` to poll.', { example: 'gen_12' }) processing_url!: string;
  @ObjectField(() => ProgressDto, 'Progress.') progress!: ProgressDto;
}

export function generateResponse(call: AcceptedCall, urls: FileUrls): GenerateResponse | DryRunResponse {
  const { id, model, requestedModel, kind, cost, customer, metadata } = call;
  const accepted = {
    ...{ model, requested_model: requestedModel, kind, cost, customer, metadata },
    inputs: inputsDto(call, urls),
    style: usedStyleDto(call),
    parent: outputReferenceDto(call),
  };
  if (id === null) return { dry_run: true, ...accepted, parameters: call.parameters };
  const progress = progressOf({ state: 'queued', progress: 0, startedAt: null });
  const processing = { processing: true, processing_url: processingUrlOf(id), progress };
  return { generation_id: id, state: 'queued', ...accepted, ...processing };
}

export class OutputDto extends PictureDto {
  @IntegerField('Its place among the outputs that were made, from 0; it stays when others are deleted.', {
    example: 0,
    min: 0,
  })
  index!: number;

  @IntegerField('Identifier of the file, by which the library rates and tags it.', { example: 31, min: 1 })
  file_id!: number;

  @TextField('What a mask covers; otherwise null.', { example: null, nullable: true }) label!: string | null;

  @NumberField('Confidence of the model in a mask; otherwise null.', { example: null, min: 0, max: 1, nullable: true })
  score!: number | null;
}

export class GenerationErrorDto {
  @TextField('For programs.', { example: 'url_unreachable' }) code!: string;
  @TextField('For users.', { example: 'the image could not be fetched' }) message!: string;
}

export class GenerationResponse extends CallDto {
  @IntegerField('Identifier of the generation.', { example: 12 }) id!: number;
  @ChoiceField(GENERATION_STATES, 'State of the generation.', { example: 'succeeded' }) state!: GenerationState;
  @NumberField('Progress.', { example: 1, min: 0, max: 1 }) progress!: number;

  @IntegerField('Persona of the outputs; null once it is deleted.', { example: 12, nullable: true })
  pid!: number | null;

  @IntegerField('Identifier of the user who requested it.', { example: 7 }) user_id!: number;
  @IntegerField('The batch that it is a cell of.', { example: null, nullable: true }) batch_id!: number | null;
  @IntegerField('Its cell, from 1; null once a retry of the cell has replaced it.', { example: null, nullable: true })
  cell!: number | null;

  @TextField('What to generate.', { example: 'a fox in the snow', nullable: true }) prompt!: string | null;
  @JsonField('The parameters of the model.', { example: { count: 1, seed: 7 } }) parameters!: object;
  @ListField(() => OutputDto, 'The outputs once it succeeded, without deleted files.') outputs!: OutputDto[];
  @ObjectField(() => GenerationErrorDto, 'Why it failed.', { nullable: true }) error!: GenerationErrorDto | null;
  @TextField('Send it to `/v2/results` to poll.', { example: 'gen_12' }) processing_url!: string;
  @TimeField('When it was requested.') created_at!: Date;
  @TimeField('When it was first started.', { nullable: true }) started_at!: Date | null;
  @TimeField('When it ended.', { nullable: true }) finished_at!: Date | null;
}

export function outputsDto({ outputs }: GenerationView, urls: FileUrls): OutputDto[] {
  return outputs.map((output) => dtoOf(OutputDto, { ...output, ...pictureUrls(output, urls) }));
}

export function generationResponse(generation: GenerationView, urls: FileUrls): GenerationResponse {
  const { id, request, state, progress, error } = generation;
  const { model, kind, prompt, parameters, cost, customer, metadata } = request;
  return {
    id,
    state,
    progress,
    model,
    requested_model: request.requestedModel,
    kind,
    pid: request.personaId,
    user_id: request.userId,
    batch_id: request.batch?.batchId ?? null,
    cell: request.batch?.cell ?? null,
    prompt,
    parameters,
    inputs: inputsDto(request, urls),
    style: usedStyleDto(request),
    parent: outputReferenceDto(request),
    outputs: outputsDto(generation, urls),
    error,
    cost,
    customer,
    metadata,
    processing_url: processingUrlOf(id),
    created_at: request.createdAt,
    started_at: generation.startedAt,
    finished_at: generation.finishedAt,
  };
}

export class GenerationsQuery {
  @ChoiceField(GENERATION_STATES, 'Only generations in this state.', { example: 'failed', required: false })
  state?: GenerationState;

  @TextField('Only generations of this model.', { example: 'local-image', max: 100, required: false }) model?: string;
  @IntegerField('Only generations for this persona.', { example: 6, min: 1, required: false }) pid?: number;
  @IntegerField('Only generations that this user started.', { example: 7, min: 1, required: false }) user_id?: number;
  @IntegerField('Only cells of this batch, also those that a retry has replaced.', {
    example: 3,
    min: 1,
    required: false,
  })
  batch_id?: number;

  @BooleanField('True for generations of no batch, false for cells. Default: both.', { example: true, required: false })
  single?: boolean;

  @CustomerFilter() customer?: string;

  @TimeBoundField('Only generations created at this time or later; a date begins at midnight, UTC.') after?: string;
  @TimeBoundField('Only generations created before this time.') before?: string;
}

/** @throws DomainError `validation_failed` for a time that does not exist */
export function generationFilter({
  state,
  model,
  pid,
  user_id,
  batch_id,
  single,
  customer,
  after,
  before,
}: GenerationsQuery): GenerationFilter {
  const times = { after: timeOf('after', after), before: timeOf('before', before) };
  return { state, model, personaId: pid, userId: user_id, batchId: batch_id, isSingle: single, customer, ...times };
}

export class GenerationsResponse extends PageResponse {
  @ListField(() => GenerationResponse, 'Generations of the workspace, newest first.')
  generations!: GenerationResponse[];
}
