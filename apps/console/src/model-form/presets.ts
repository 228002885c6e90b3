import type { GenerationResponse, ModelDto, PresetDto } from '../api/index.ts';
import { fileName } from '../text.ts';
import { type Draft, draftOf, EMPTY_DRAFT, requestOf } from './draft.ts';
import { asText, isTemplate } from './variables.ts';

/** Settings of a preset, without its name. */
export interface PresetSettings {
  readonly model: string;
  readonly prompt: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly persona_id: number | null;
  readonly style_transfer: string | null;
}

/** The settings of a draft: its prompt may have variables. Pictures to work on are not saved. */
export function settingsOfDraft(draft: Draft, model: ModelDto): PresetSettings {
  const { prompt = null, pid = null, style_transfer = null, ...sent } = requestOf(draft, model);
  const declared = (model.parameters.properties ?? {}) as object;
  const parameters = Object.fromEntries(Object.entries(sent).filter(([name]) => name in declared));
  return { model: model.id, prompt: prompt || null, parameters, persona_id: pid, style_transfer };
}

/** The settings of a generation. Braces in its prompt are text. */
export function settingsOfGeneration(generation: GenerationResponse, model: ModelDto): PresetSettings {
  const settings = settingsOfDraft(draftOf(generation, model), model);
  return { ...settings, prompt: settings.prompt && asText(settings.prompt) };
}

/** The draft with the settings of a preset, whose model may have been replaced; its pictures stay. */
export function withSettings(draft: Draft, preset: PresetDto): Draft {
  const { prompt, parameters, persona_id, style_transfer, missing } = preset;
  return {
    ...draft,
    model: modelOfPreset(preset),
    prompt: prompt ?? '',
    variables: isTemplate(prompt ?? '') ? {} : EMPTY_DRAFT.variables,
    parameters: parameters as Draft['parameters'],
    pid: missing.includes('persona') ? null : persona_id,
    style: styleOf(style_transfer),
    trainedStyle: null,
  };
}

/** The name of the model that takes the calls of a preset. */
export function modelOfPreset({ model, model_state, successor }: PresetDto): string {
  return (model_state === 'replaced' && successor) || model;
}

/** By default a persona gives its own style. */
function styleOf(style: string | null): Draft['style'] {
  if (style === 'none') return style;
  return style === null || style === 'persona' ? null : { url: style, content_type: 'image/*', name: fileName(style) };
}
