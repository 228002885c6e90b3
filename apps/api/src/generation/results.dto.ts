import { GENERATION_STATES, type GenerationState } from '#generation';
import {
  BooleanField,
  ChoiceField,
  CustomDataDto,
  IntegerField,
  NumberField,
  ObjectField,
  OutputField,
  TextField,
  TimeField,
} from '../http/index.ts';

export const ProcessingUrl = (
  description: string,
  options: { readonly required?: boolean; readonly nullable?: boolean },
) =>
  TextField(description, {
    example: 'gen_12',
    pattern: /^gen_[1-9][0-9]{0,14}$/,
    patternMeans: 'a processing_url from the response of generate',
    ...options,
  });

export class ProgressDto {
  @ChoiceField(GENERATION_STATES, 'State of the generation.', { example: 'running' }) state!: GenerationState;
  @IntegerField('Progress in percent.', { example: 40, min: 0, max: 100 }) percent!: number;
  @TimeField('When it was started; null while it is queued.', { nullable: true }) started_at!: Date | null;
}

export class ResultsRequest {
  @ProcessingUrl('As returned by `POST /v2/generate`.', {}) processing_url!: string;
}

/** @param processingUrl validated by `ResultsRequest` */
export function generationIdOf(processingUrl: string): number {
  return Number(processingUrl.slice('gen_'.length));
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

export class ResultsResponse extends CustomDataDto {
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

/** Results that `POST /v2/generate` has waited for. */
export class WaitedResponse extends ResultsResponse {
  @IntegerField('Identifier of the generation.', { example: 12 }) generation_id!: number;
}
