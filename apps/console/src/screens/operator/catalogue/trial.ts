import type { ModelDto } from '../../../api/index.ts';
import type { Draft } from '../../../model-form/draft.ts';
import { capitalized } from '../../../text.ts';

/** Request of a trial: the fields of the callers' form. */
export interface TrialFields {
  readonly prompt: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly inputs: Readonly<Record<string, string | readonly string[]>>;
}

/** The fields of a trial for the filled form, without what the model does not take. */
export function trialFields(draft: Draft, model: ModelDto): TrialFields {
  const declared = (model.parameters.properties ?? {}) as object;
  const given = Object.entries(draft.parameters).filter(([name, value]) => name in declared && value !== undefined);
  const { image, style, mask, control, references } = draft;
  const pictures = { image, style: style === 'none' ? null : style, mask, control };
  const single = Object.entries(pictures).flatMap(([name, media]) => (media ? [[name, media.url] as const] : []));
  const several = references.length > 0 ? [['references', references.map(({ url }) => url)] as const] : [];
  const taken = [...single, ...several].filter(([name]) => model.inputs[name as keyof ModelDto['inputs']] !== 'none');
  return {
    prompt: draft.prompt.trim() || null,
    parameters: Object.fromEntries(given),
    inputs: Object.fromEntries(taken),
  };
}

/** The fields of the callers' form that show the problems of inputs. */
const FIELDS: Readonly<Record<string, string>> = {
  'inputs.image': 'image',
  'inputs.style': 'style_transfer',
  'inputs.references': 'extra_image_1',
  'inputs.mask': 'mask_image',
  'inputs.control': 'control_image',
};

/** The problems of a refused trial, by field of the callers' form. */
export function trialProblems(fields: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  const problems = Object.entries(fields).map(([field, messages]) => {
    const name = FIELDS[field] ?? field.replace(/^parameters\./, '');
    return [name, `${capitalized(messages.join(', and '))}.`];
  });
  return Object.fromEntries(problems);
}
