import type { FileUrls } from '#files';
import {
  MAX_STYLE_NAME,
  placesOf,
  processingUrlOf,
  type AcceptedCall,
  type GenerationState,
  type InputSource,
  type StyleView,
} from '#generation';
import {
  BooleanField,
  ChoiceField,
  dtoOf,
  IdsField,
  IntegerField,
  JsonField,
  ListField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
  UrlField,
} from '../http/index.ts';
import { GenerationErrorDto, RequestedModel } from '../generation/generation.dto.ts';

/** More than any model takes. */
const MAX_PICTURES = 100;

const StyleName = (description: string, required: boolean) =>
  TextField(description, { example: 'Warm oils', min: 1, max: MAX_STYLE_NAME, required });

export class TrainStyleRequest {
  @TextField('The model that trains it: an `id` of `GET /v2/models` of the kind `style`.', {
    example: 'local-style',
    max: 100,
  })
  model!: string;

  @StyleName('Name, on one line. Default: a name with the date.', false) name?: string;

  @IdsField('The trainings whose pictures it is trained on, also likes. Default: the filled slots 1 to 6.', {
    example: [40, 41, 42],
    max: MAX_PICTURES,
    required: false,
    nullable: true,
  })
  pictures?: readonly number[] | null;

  @UrlField('Called once the training has ended. Its host must be public, its port 80 or 443.', {
    example: 'https://example.com/hooks/x12',
    required: false,
    nullable: true,
  })
  webhook?: string | null;

  @BooleanField('True to compute only pictures and cost.', { example: false, required: false, nullable: true })
  dry_run?: boolean | null;
}

export class UpdateStyleRequest {
  @StyleName('Another name.', true) name!: string;
}

export class ActiveStyleRequest {
  @IntegerField('A ready style of the persona; null for none.', { example: 7, min: 1, nullable: true })
  style_id!: number | null;
}

export class StylePictureDto {
  @IntegerField('The training whose picture it was.', { example: 40 }) training_id!: number;
  @TextField('URL of the picture.', { example: 'https://files.example.com/files/9f/ada.jpg', format: 'uri' })
  url!: string;
}

/** The states of a style: those of its generation, with `ready` for success. */
const STYLE_STATES = ['queued', 'running', 'ready', 'failed', 'canceled'] as const;
type StyleState = (typeof STYLE_STATES)[number];

export class StyleDto {
  @IntegerField('Identifier of the style: `style_id` of generations.', { example: 7 }) id!: number;
  @TextField('Its name.', { example: 'Warm oils' }) name!: string;
  @ChoiceField(STYLE_STATES, 'State of its training.', { example: 'ready' }) state!: StyleState;
  @TextField('The model that trains it.', { example: 'local-style' }) model!: string;

  @TextField('Only models of this family can use it.', { example: 'local', nullable: true })
  family!: string | null;

  @ListField(() => StylePictureDto, 'The pictures that it is trained on, as they were at the request.')
  pictures!: StylePictureDto[];

  @BooleanField('Whether generations with the persona use it by default.', { example: true }) is_active!: boolean;

  @BooleanField('Whether the slots 1 to 6 have changed since the training was requested.', { example: false })
  is_outdated!: boolean;

  @IntegerField('The generation that trains it.', { example: 12 }) generation_id!: number;
  @ObjectField(() => GenerationErrorDto, 'Why its training failed.', { nullable: true })
  error!: GenerationErrorDto | null;

  @TextField('URL of the newest picture that was made with it; null before.', {
    example: null,
    format: 'uri',
    nullable: true,
  })
  preview!: string | null;

  @TimeField('When its training was requested.') created_at!: Date;
}

export class StyleResponse {
  @ObjectField(() => StyleDto, 'The style.') style!: StyleDto;
}

export class StylesResponse extends PageResponse {
  @ListField(() => StyleDto, 'The styles of the persona, newest first.') styles!: StyleDto[];
}

export class TrainStyleResponse extends StyleResponse {
  @IntegerField('The generation that trains it.', { example: 12 }) generation_id!: number;
  @IntegerField('Credits, reserved until its training ends.', { example: 40, min: 0 }) cost!: number;
  @TextField('Send it to `/v2/results` to poll.', { example: 'gen_12' }) processing_url!: string;
}

export class TrainStyleDryRunResponse {
  @BooleanField('Always true: nothing was run or charged.', { example: true }) dry_run!: true;
  @TextField('The model.', { example: 'local-style' }) model!: string;
  @RequestedModel() requested_model!: string;
  @IntegerField('Credits.', { example: 40, min: 0 }) cost!: number;
  @ListField(() => String, 'URLs of the pictures.', { example: ['https://files.example.com/files/9f/ada.jpg'] })
  pictures!: readonly string[];

  @JsonField('The validated parameters of the model, with defaults.', { example: {} }) parameters!: object;
}

export function styleDto(style: StyleView, urls: FileUrls): StyleDto {
  return dtoOf(StyleDto, {
    ...style,
    state: stateOf(style.state),
    pictures: style.pictures.map(({ trainingId, key, url }) => ({
      training_id: trainingId,
      url: key === null ? url! : urls.urlOf(key),
    })),
    preview: style.preview && urls.urlOf(style.preview),
  });
}

function stateOf(state: GenerationState): StyleState {
  return state === 'succeeded' ? 'ready' : state;
}

export function trainStyleResponse(style: StyleView, { cost }: AcceptedCall, urls: FileUrls): TrainStyleResponse {
  const { generationId } = style;
  return {
    style: styleDto(style, urls),
    generation_id: generationId,
    cost,
    processing_url: processingUrlOf(generationId),
  };
}

export function trainStyleDryRun(
  { model, requestedModel, cost, inputs, parameters }: AcceptedCall,
  urls: FileUrls,
): TrainStyleDryRunResponse {
  const urlOf = (source: InputSource) => ('key' in source ? urls.urlOf(source.key) : source.url);
  const pictures = placesOf(inputs).map(({ picture }) => urlOf(picture));
  return { dry_run: true, model, requested_model: requestedModel, cost, pictures, parameters };
}
