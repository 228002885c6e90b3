import { isAbsent, parameterValues, type Model, type ParameterProblems, type ParameterValues } from '#catalogue';
import { DomainError, invalidField } from '#kernel';
import { MAX_VARIABLES, variablesOf } from './prompt-variables.ts';
import { checkStyleTransfer } from './resolve-inputs.ts';

export const MAX_PRESETS = 200;
export const MAX_PRESET_NAME = 100;
/** Maximum length of the parameters as JSON text, in UTF-16 units. */
const MAX_PARAMETERS_UNITS = 65_536;

/** Settings of a call that are saved under a name. */
export interface PresetContent {
  /** Unique in the workspace. */
  readonly name: string;
  readonly model: string;
  /** May hold variables, such as `{animal}`. */
  readonly prompt: string | null;
  /** By name; those that are absent have the default of the model. */
  readonly parameters: ParameterValues;
  readonly personaId: number | null;
  /** `persona`, `none` or a URL. */
  readonly styleTransfer: string | null;
}

export interface Preset extends PresetContent {
  readonly id: number;
  /** User id. */
  readonly createdBy: number;
}

/** The fields of a call that a preset may fill. */
interface CompletedCall {
  /** Empty when absent. */
  readonly model: string;
  readonly personaId: number | null;
  readonly styleTransfer: string | null;
  readonly prompt: string | null;
  /** All fields of the request by name: a field that is sent as null is not left out. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * A call with what it leaves out filled by a preset. Parameters and style of a preset are those of its model: a call that
 * names another model does not get them.
 *
 * @param namesItsModel whether the call names the preset's model, which may have several names
 */
export function withPreset<Call extends CompletedCall>(
  call: Call,
  preset: PresetContent,
  namesItsModel: boolean = call.model === preset.model,
): Call {
  const model = call.model || preset.model;
  const isItsModel = call.model === '' || namesItsModel;
  const isLeftOut = (field: string): boolean => !Object.hasOwn(call.fields, field);
  return {
    ...call,
    model,
    personaId: isLeftOut('pid') ? preset.personaId : call.personaId,
    styleTransfer: isItsModel && isLeftOut('style_transfer') ? preset.styleTransfer : call.styleTransfer,
    prompt: isLeftOut('prompt') ? preset.prompt : call.prompt,
    fields: isItsModel ? { ...preset.parameters, ...call.fields } : call.fields,
  };
}

/**
 * The name of a preset, trimmed.
 *
 * @throws DomainError `validation_failed` unless 1 to 100 characters on one line are left
 */
export function checkedPresetName(given: string): string {
  const name = given.trim();
  const length = [...name].length;
  if (length >= 1 && length <= MAX_PRESET_NAME && !/\p{Cc}/u.test(name)) return name;
  throw invalidField('name', `must have 1 to ${MAX_PRESET_NAME} characters, on one line`);
}

/** @throws DomainError `validation_failed` when a prompt has more variables than a call may fill */
export function checkPresetPrompt(prompt: string | null): void {
  if (variablesOf(prompt ?? '').length <= MAX_VARIABLES) return;
  throw invalidField('prompt', `must have at most ${MAX_VARIABLES} variables`);
}

/**
 * Checks what depends on the model. A parameter that the model requires may be left to the call.
 *
 * @param problemsOf checks values by the model's JSON Schemas
 * @returns the parameters as the model reads them, without defaults
 * @throws DomainError `validation_failed`
 */
export function checkedForModel(
  model: Model,
  { parameters, styleTransfer }: Pick<PresetContent, 'styleTransfer'> & { readonly parameters: object },
  problemsOf: (values: ParameterValues) => ParameterProblems,
): ParameterValues {
  if (model.kind === 'style') throw invalidField('model', `must make files: ${model.id} trains styles of personas`);
  checkStyleTransfer(model, styleTransfer);
  if (JSON.stringify(parameters).length > MAX_PARAMETERS_UNITS) {
    throw invalidField('parameters', `must have at most ${MAX_PARAMETERS_UNITS / 1024} KiB`);
  }
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => !isAbsent(value)));
  const names = Object.keys(given);
  const unknown = names.find((name) => !Object.hasOwn(model.parameters, name));
  if (unknown !== undefined) {
    throw invalidField('parameters', `must be parameters of the model ${model.id}, which has no ${unknown}`);
  }
  const declared = Object.fromEntries(names.map((name) => [name, model.parameters[name]!]));
  return parameterValues({ ...model, parameters: declared }, given, (read) => {
    const problems = Object.entries(problemsOf(read)).filter(([name]) => names.includes(name));
    return Object.fromEntries(problems);
  });
}

/**
 * Checks that a workspace may have a further preset, or that a preset may have a name.
 *
 * @param others the other presets of the workspace
 * @throws DomainError `conflict`
 */
export function checkAmong(others: readonly Pick<Preset, 'name'>[], name: string): void {
  if (others.length >= MAX_PRESETS) {
    throw new DomainError('conflict', `a workspace has at most ${MAX_PRESETS} presets: delete one that is not used`);
  }
  if (others.some((other) => other.name === name)) {
    throw new DomainError('conflict', 'another preset has this name: choose a name that is free');
  }
}
