import { GENERATION_STATES, type AcceptedCall, type GenerationState, type ModelKind } from '#generation';
import { BooleanField, ChoiceField, IntegerField, JsonField, ObjectField, TextField } from '../http/index.ts';
import { InputsView, inputsView } from './inputs-view.ts';
import { processingUrlOf } from './processing-url.ts';
import { ProgressView, progressView } from './progress-view.ts';

class CallView {
  @TextField({ description: 'The generator.', example: 'local-image' })
  model!: string;

  @ChoiceField(['image', 'video'], { description: 'What it makes.', example: 'image' })
  kind!: ModelKind;

  @IntegerField({ description: 'Credits.', example: 4, min: 0 })
  cost!: number;

  @ObjectField(() => InputsView, { description: 'The pictures that it is made from.' })
  inputs!: InputsView;
}

/** What a dry run answers. */
export class DryRunAnswer extends CallView {
  @BooleanField({ description: 'Always true: nothing was run and nothing charged.', example: true })
  dry_run!: true;

  @JsonField({
    description: 'The parameters of the model, checked, with their defaults.',
    example: { count: 1 },
  })
  parameters!: object;
}

export class GenerateAnswer extends CallView {
  @IntegerField({ description: 'Identifier of the generation.', example: 12 })
  generation_id!: number;

  @ChoiceField(GENERATION_STATES, { description: 'Its state.', example: 'queued' })
  state!: GenerationState;

  @BooleanField({ description: 'True until it ends.', example: true })
  processing!: boolean;

  @TextField({ description: 'What to poll `/v2/results` with.', example: 'gen_12' })
  processing_url!: string;

  @ObjectField(() => ProgressView, { description: 'How far it is.' })
  progress!: ProgressView;
}

export function generateAnswer(call: AcceptedCall): GenerateAnswer | DryRunAnswer {
  const { id, model, kind, cost } = call;
  const { image, styleReference } = call.inputs;
  const inputs = inputsView(kind, image?.url ?? null, styleReference?.url ?? null);
  if (id === null) return { dry_run: true, model, kind, cost, inputs, parameters: call.parameters };
  return {
    generation_id: id,
    state: 'queued',
    model,
    kind,
    cost,
    inputs,
    processing: true,
    processing_url: processingUrlOf(id),
    progress: progressView({ state: 'queued', progress: 0, startedAt: null }),
  };
}
