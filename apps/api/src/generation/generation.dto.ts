import { isISO8601 } from 'class-validator';
import type { StoredUrls } from '#files';
import {
  GENERATION_STATES,
  MODEL_KINDS,
  processingUrlOf,
  progressOf,
  type AcceptedCall,
  type GenerationFilter,
  type GenerationRequest,
  type GenerationState,
  type GenerationView,
  type InputSource,
  type ModelKind,
} from '#generation';
import { invalidField } from '#kernel';
import { ThumbnailDto } from '../files/files.dto.ts';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
  UrlField,
  OutputField,
} from '../http/index.ts';

type Urls = Pick<StoredUrls, 'urlOf'>;

const OPTIONAL = { required: false, nullable: true } as const;
const NULLABLE_URL = { format: 'uri', nullable: true } as const;

const ProcessingUrl = (description: string, options: { readonly required?: boolean; readonly nullable?: boolean }) =>
  TextField(description, {
    example: 'gen_12',
    pattern: /^gen_[1-9][0-9]{0,14}$/,
    patternMeans: 'a processing_url from the response of generate',
    ...options,
  });

const ExtraImage = (position: number) =>
  UrlField(
    `A further style reference, for models that take ${position === 1 ? 'any' : `${position} or more`}. ` +
      'Default for all six: the filled slots 2 to 6, if `pid` is given and `style_transfer` is absent or `persona`.',
    { example: null, ...OPTIONAL },
  );

export class GenerateRequest {
  @TextField('The model: an `id` of `GET /v2/models`. Required, unless there is a `processing_url`.', {
    example: 'local-image',
    max: 100,
    required: false,
  })
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

  @UrlField(
    'The input image; for video models the start frame. Default: slot 7, if `pid` is given and the slot is filled.',
    { example: 'https://pictures.example.com/fox.jpg', ...OPTIONAL },
  )
  image?: string | null;

  @UrlField('The mask, for models that take one.', { example: null, ...OPTIONAL }) mask_image?: string | null;
  @UrlField('The control image, for models that take one.', { example: null, ...OPTIONAL }) control_image?:
    string | null;
  @ExtraImage(1) extra_image_1?: string | null;
  @ExtraImage(2) extra_image_2?: string | null;
  @ExtraImage(3) extra_image_3?: string | null;
  @ExtraImage(4) extra_image_4?: string | null;
  @ExtraImage(5) extra_image_5?: string | null;
  @ExtraImage(6) extra_image_6?: string | null;

  @UrlField('Called once the generation has ended. Its host must be public, its port 80 or 443.', {
    example: 'https://example.com/hooks/x12',
    ...OPTIONAL,
  })
  webhook?: string | null;

  @TextField('What to generate.', { example: 'a fox in the snow', max: 10_000, ...OPTIONAL }) prompt?: string | null;
  @BooleanField('True to compute only inputs and cost.', { example: false, ...OPTIONAL }) dry_run?: boolean | null;
  @ProcessingUrl('To poll that generation instead of starting one.', OPTIONAL) processing_url?: string | null;
}

export function extraImagesOf(body: GenerateRequest): readonly (string | null)[] {
  const { extra_image_1, extra_image_2, extra_image_3, extra_image_4, extra_image_5, extra_image_6 } = body;
  const all = [extra_image_1, extra_image_2, extra_image_3, extra_image_4, extra_image_5, extra_image_6];
  return all.map((url) => url ?? null);
}

export class ResultsRequest {
  @ProcessingUrl('As returned by `POST /v2/generate`.', {}) processing_url!: string;
}

/** @param processingUrl validated by `ResultsRequest` */
export function generationIdOf(processingUrl: string): number {
  return Number(processingUrl.slice('gen_'.length));
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

  @TextField('URL of the mask.', { example: null, ...NULLABLE_URL }) mask!: string | null;
  @TextField('URL of the control image.', { example: null, ...NULLABLE_URL }) control!: string | null;
}

function inputsDto({ kind, inputs }: GenerationRequest, urls: Urls): InputsDto {
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
  };
}

export class ProgressDto {
  @ChoiceField(GENERATION_STATES, 'State of the generation.', { example: 'running' }) state!: GenerationState;
  @IntegerField('Progress in percent.', { example: 40, min: 0, max: 100 }) percent!: number;
  @TimeField('When it was started; null while it is queued.', { nullable: true }) started_at!: Date | null;
}

/** The request of a generation, as it was accepted. */
class CallDto {
  @TextField('The model.', { example: 'local-image' }) model!: string;
  @ChoiceField(MODEL_KINDS, 'Kind of output.', { example: 'image' }) kind!: ModelKind;

  @IntegerField('Credits: reserved until it ends, charged for the outputs when it succeeds, otherwise released.', {
    example: 4,
    min: 0,
  })
  cost!: number;

  @ObjectField(() => InputsDto, 'The input pictures.') inputs!: InputsDto;
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

export function generateResponse(call: AcceptedCall, urls: Urls): GenerateResponse | DryRunResponse {
  const { id, model, kind, cost } = call;
  const accepted = { model, kind, cost, inputs: inputsDto(call, urls) };
  if (id === null) return { dry_run: true, ...accepted, parameters: call.parameters };
  const progress = progressOf({ state: 'queued', progress: 0, startedAt: null });
  const processing = { processing: true, processing_url: processingUrlOf(id), progress };
  return { generation_id: id, state: 'queued', ...accepted, ...processing };
}

export class MaskDto {
  @TextField('What the mask covers, if the model says so.', { example: 'sofa', nullable: true }) label!: string | null;
  @NumberField('Confidence of the model.', { example: 0.93, min: 0, max: 1, nullable: true }) score!: number | null;

  @TextField('A PNG as a data URI; its URL when the masks are larger than 8 MiB in all.', {
    example: 'data:image/png;base64,iVBORw0K',
    format: 'uri',
  })
  mask!: string;
}

export class ResultsResponse {
  @BooleanField('True until the generation ends.', { example: false }) processing!: boolean;
  @TextField('The `processing_url` of the request.', { example: 'gen_12' }) processing_url!: string;
  @ObjectField(() => ProgressDto, 'Progress.') progress!: ProgressDto;

  @OutputField(
    () => MaskDto,
    'Once it succeeded: the URL of the output, or a list of URLs when there are several. For a model that makes ' +
      'masks, the first 20 masks.',
    { required: false },
  )
  output?: string | readonly string[] | readonly MaskDto[];

  @TextField('Once it failed or was canceled, the reason.', { example: 'the image is too large', required: false })
  error?: string;
}

export class OutputDto {
  @TextField('Public URL of the file.', {
    example: 'https://files.example.com/files/9f/generation-12.png',
    format: 'uri',
  })
  url!: string;

  @TextField('Media type.', { example: 'image/png' }) content_type!: string;
  @IntegerField('Pixels; null for a 3D model.', { example: 1024, min: 1, nullable: true }) width!: number | null;
  @IntegerField('Pixels; null for a 3D model.', { example: 768, min: 1, nullable: true }) height!: number | null;
  @NumberField('Duration of a video in seconds; otherwise null.', { example: null, nullable: true }) duration!:
    number | null;
  @TextField('What a mask covers; otherwise null.', { example: null, nullable: true }) label!: string | null;

  @NumberField('Confidence of the model in a mask; otherwise null.', { example: null, min: 0, max: 1, nullable: true })
  score!: number | null;

  @ListField(() => ThumbnailDto, 'Thumbnails, smallest first; none for a 3D model.') thumbnails!: ThumbnailDto[];
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
  @TextField('What to generate.', { example: 'a fox in the snow', nullable: true }) prompt!: string | null;
  @JsonField('The parameters of the model.', { example: { count: 1, seed: 7 } }) parameters!: object;
  @ListField(() => OutputDto, 'The outputs once it succeeded, without deleted files.') outputs!: OutputDto[];
  @ObjectField(() => GenerationErrorDto, 'Why it failed.', { nullable: true }) error!: GenerationErrorDto | null;
  @TextField('Send it to `/v2/results` to poll.', { example: 'gen_12' }) processing_url!: string;
  @TimeField('When it was requested.') created_at!: Date;
  @TimeField('When it was first started.', { nullable: true }) started_at!: Date | null;
  @TimeField('When it ended.', { nullable: true }) finished_at!: Date | null;
}

export function generationResponse(generation: GenerationView, urls: Urls): GenerationResponse {
  const { id, request, state, progress, error } = generation;
  const { model, kind, prompt, parameters, cost } = request;
  return {
    id,
    state,
    progress,
    model,
    kind,
    pid: request.personaId,
    user_id: request.userId,
    prompt,
    parameters,
    inputs: inputsDto(request, urls),
    outputs: generation.outputs.map(({ key, contentType, thumbnails, ...facts }) => ({
      url: urls.urlOf(key),
      content_type: contentType,
      ...facts,
      thumbnails: thumbnails.map(({ key, width, height }) => ({ url: urls.urlOf(key), width, height })),
    })),
    error,
    cost,
    processing_url: processingUrlOf(id),
    created_at: request.createdAt,
    started_at: generation.startedAt,
    finished_at: generation.finishedAt,
  };
}

const TimeBound = (description: string) =>
  TextField(description, {
    example: '2026-11-21T07:30:00Z',
    pattern: /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2}))?$/,
    patternMeans: 'a date or a time with its zone, such as 2026-11-21 or 2026-11-21T07:30:00Z',
    required: false,
  });

export class GenerationsQuery {
  @ChoiceField(GENERATION_STATES, 'Only generations in this state.', { example: 'failed', required: false })
  state?: GenerationState;

  @TextField('Only generations of this model.', { example: 'local-image', max: 100, required: false }) model?: string;
  @IntegerField('Only generations for this persona.', { example: 6, min: 1, required: false }) pid?: number;
  @IntegerField('Only generations that this user started.', { example: 7, min: 1, required: false }) user_id?: number;
  @TimeBound('Only generations created at this time or later; a date begins at midnight, UTC.') after?: string;
  @TimeBound('Only generations created before this time.') before?: string;
}

/** @throws DomainError `validation_failed` for a time that does not exist */
export function generationFilter({ state, model, pid, user_id, after, before }: GenerationsQuery): GenerationFilter {
  const times = { after: timeOf('after', after), before: timeOf('before', before) };
  return { state, model, personaId: pid, userId: user_id, ...times };
}

function timeOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  // `Date` parses February 31st as March 3rd.
  if (!isISO8601(text, { strict: true })) throw invalidField(field, 'must be a time that exists');
  return new Date(text);
}

export class GenerationsResponse extends PageResponse {
  @ListField(() => GenerationResponse, 'Generations of the workspace, newest first.')
  generations!: GenerationResponse[];
}
