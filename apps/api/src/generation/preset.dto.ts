import { MODEL_STATES, resolveModel, type Models, type ModelState } from '#catalogue';
import { MAX_PRESET_NAME, MAX_PROMPT_LENGTH, variablesOf, type PresetView } from '#generation';
import {
  ChoiceField,
  dtoOf,
  IntegerField,
  JsonField,
  ListField,
  ObjectField,
  PageResponse,
  TextField,
  TimeField,
} from '../http/index.ts';

const OPTIONAL = { required: false, nullable: true } as const;

/** References of a preset that may be missing. */
const MISSING = ['model', 'persona'] as const;
type Missing = (typeof MISSING)[number];

const Name = (required: boolean) =>
  TextField('Its name, unique in the workspace, on one line.', {
    example: 'Studio portrait',
    min: 1,
    max: MAX_PRESET_NAME,
    required,
  });
const ModelName = (required: boolean) =>
  TextField('The model: an `id` or alias of `GET /v2/models`.', { example: 'local-image', max: 100, required });

/** The fields that may be left out in every request. */
class PresetFields {
  @TextField('What to generate. May hold variables such as `{animal}`, which a call fills; `{{animal}}` is text.', {
    example: 'a {animal} in the snow',
    max: MAX_PROMPT_LENGTH,
    ...OPTIONAL,
  })
  prompt?: string | null;

  @JsonField('Parameters of the model by name, in a form as JSON text. Default: those of the model.', {
    example: { width: 1024 },
    ...OPTIONAL,
  })
  parameters?: object | null;

  @IntegerField('A persona of the workspace.', { example: 12, min: 1, ...OPTIONAL }) persona_id?: number | null;

  @TextField('The style reference, as in `POST /v2/generate`: `persona`, `none`, or an http or https URL.', {
    example: 'persona',
    max: 2048,
    ...OPTIONAL,
  })
  style_transfer?: string | null;
}

export class CreatePresetRequest extends PresetFields {
  @Name(true) name!: string;
  @ModelName(true) model!: string;
}

export class UpdatePresetRequest extends PresetFields {
  @Name(false) name?: string;
  @ModelName(false) model?: string;
}

/** The given fields. */
export function presetChanges({ name, model, prompt, parameters, persona_id, style_transfer }: UpdatePresetRequest) {
  return {
    ...(name !== undefined && { name }),
    ...(model !== undefined && { model }),
    ...(prompt !== undefined && { prompt: prompt || null }),
    ...(parameters !== undefined && { parameters: parameters ?? {} }),
    ...(persona_id !== undefined && { personaId: persona_id }),
    ...(style_transfer !== undefined && { styleTransfer: style_transfer }),
  };
}

export class PresetDto {
  @IntegerField('Identifier of the preset.', { example: 3 }) id!: number;
  @TextField('Its name.', { example: 'Studio portrait' }) name!: string;
  @TextField('The model.', { example: 'local-image' }) model!: string;
  @TextField('What to generate.', { example: 'a {animal} in the snow', nullable: true }) prompt!: string | null;

  @ListField(() => String, 'The names of the variables of the prompt, in their order.', { example: ['animal'] })
  variables!: readonly string[];

  @JsonField('Parameters of the model by name.', { example: { width: 1024 } }) parameters!: object;
  @IntegerField('The persona.', { example: 12, nullable: true }) persona_id!: number | null;
  @TextField('The style reference.', { example: 'persona', nullable: true }) style_transfer!: string | null;

  @ListField(
    () => String,
    'What the preset refers to that is gone: `model`, `persona`. Empty for one that can be used.',
    { example: [] },
  )
  missing!: readonly Missing[];

  @ChoiceField(
    MODEL_STATES,
    'What becomes of its calls: `replaced` by the successor of the model; refused when it has `retired` without one, ' +
      'when it is `gone` at its vendor, or `unknown`.',
    { example: 'ok' },
  )
  model_state!: ModelState;
  @TextField('The model that takes its calls, or will once the model has ended.', { example: null, nullable: true })
  successor!: string | null;

  @IntegerField('Identifier of the user who made it.', { example: 7 }) created_by!: number;
  @TimeField('When it was made.') created_at!: Date;
  @TimeField('When it was changed last.') updated_at!: Date;
}

export function presetDto(preset: PresetView, models: Pick<Models, 'all' | 'gone'>, now: Date): PresetDto {
  const { state, successor } = resolveModel(preset.model, models, now);
  const isUsable = state === 'ok' || state === 'replaced';
  const isGone: Record<Missing, boolean> = { model: !isUsable, persona: !preset.hasPersona };
  return dtoOf(PresetDto, {
    ...preset,
    variables: variablesOf(preset.prompt ?? ''),
    missing: MISSING.filter((each) => isGone[each]),
    modelState: state,
    successor: successor?.id ?? null,
  });
}

export class PresetResponse {
  @ObjectField(() => PresetDto, 'The preset.') preset!: PresetDto;
}

export class PresetsResponse extends PageResponse {
  @ListField(() => PresetDto, 'Presets of the workspace, newest first.') presets!: PresetDto[];
}
