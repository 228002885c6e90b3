import {
  countedBy,
  INPUT_NAMES,
  isAboveZero,
  isFieldPath,
  maskFormsOf,
  placeholdersOf,
  RESERVED_FIELDS,
  vendorFields,
  type Model,
} from '#catalogue';
import type { AjvParameterCheck } from './parameter-check.ts';

/** Reports a problem of an entry: the path of the field, and a message that follows it. */
export type Report = (path: readonly string[], message: string) => void;

/** Checks the rules that the schema of the catalogue can't express. */
export function checkModel(model: Model, check: AjvParameterCheck, report: Report): void {
  checkParameters(model, check, report);
  checkCost(model, report);
  checkStyle(model, report);
  if (model.provider !== 'local') checkMapping(model, report);
}

function checkParameters(model: Model, check: AjvParameterCheck, report: Report): void {
  for (const name of Object.keys(model.parameters)) {
    if (RESERVED_FIELDS.includes(name)) report(['parameters', name], 'has the name of a field of every request');
  }
  for (const { path, message } of check.schemaProblems(model)) report(['parameters', ...path], message);
}

function checkCost(model: Model, report: Report): void {
  const { credits, parameter } = model.cost;
  const { parameters } = model;
  checkCounted(model, report);
  if (typeof credits === 'number') {
    if (parameter !== null) report(['cost', 'parameter'], 'needs an amount for each value of the parameter in credits');
    return;
  }
  const declared = parameter === null ? undefined : parameters[parameter];
  const choices = declared?.type === 'boolean' ? ['true', 'false'] : declared?.enum?.map(String);
  if (!choices) return report(['cost', 'parameter'], 'must name a parameter with choices (enum), or a boolean one');
  if (declared?.default === undefined) report(['cost', 'parameter'], 'must name a parameter with a default');
  for (const choice of choices) {
    if (!Object.hasOwn(credits, choice)) report(['cost', 'credits'], `has no amount for ${choice}`);
  }
  for (const value of Object.keys(credits)) {
    if (!choices.includes(value)) report(['cost', 'credits', value], `is no choice of ${parameter}`);
  }
}

/** Checks the parameter that multiplies the cost: it must be above 0, so that no call is free. */
function checkCounted({ cost, parameters }: Model, report: Report): void {
  const name = countedBy(cost);
  const declared = parameters[name];
  const isNumber = declared?.type === 'integer' || declared?.type === 'number';
  if (cost.per === 'second' && (!isNumber || typeof declared.default !== 'number')) {
    report(['cost', 'per'], 'needs a parameter duration that is a number and has a default');
  } else if (declared && !isNumber) {
    report(['parameters', name, 'type'], 'must be integer or number: the cost is counted by it');
  } else if (declared && !isAboveZero(declared)) {
    report(['parameters', name, 'minimum'], 'must be above 0: the cost is counted by it');
  }
}

/** Checks what a model says of trained styles. */
function checkStyle({ kind, family, inputs, result, provider }: Model, report: Report): void {
  const isTrainer = kind === 'style';
  if (isTrainer !== (inputs.pictures === 'required')) {
    report(['inputs', 'pictures'], isTrainer ? 'must be required for the kind style' : 'are for the kind style');
  }
  if (inputs.maxPictures < inputs.minPictures) report(['inputs', 'max_pictures'], 'must not be below min_pictures');
  if (isTrainer && provider !== 'local' && !result) report(['result'], 'is required for the kind style');
  if (!isTrainer && result) report(['result'], 'is for the kind style');
  const isStyled = isTrainer || inputs.styleWeights !== 'none';
  if (isStyled && family === null) report(['family'], 'is required: only styles of the same family fit the model');
}

function checkMapping(model: Model, report: Report): void {
  const { mapping, target, workflow, inputs } = model;
  const taken: string[] = INPUT_NAMES.filter((name) => inputs[name] !== 'none');
  if (inputs.styleWeights !== 'none') taken.push('style_weights');
  const words = model.kind === 'style' ? ['trigger'] : inputs.styleWeights === 'none' ? [] : ['style_trigger'];
  const names = ['prompt', ...taken, ...words, ...Object.keys(model.parameters)];
  // At Replicate, a trained style may be the target itself.
  const used = [...placeholdersOf(mapping), ...placeholdersOf({ target })];
  for (const name of used) {
    if (!names.includes(name)) {
      report(['mapping'], `names {${name}}, which is neither prompt, nor an input that it takes, nor a parameter`);
    }
  }
  for (const name of taken) {
    if (!used.includes(name)) report(['mapping'], `does not use {${name}}, which the model takes as an input`);
  }
  if (maskFormsOf(mapping).length > 1) report(['mapping'], 'must use the mask in one form');
  for (const path of Object.keys(mapping)) {
    const [node = ''] = path.split('.');
    if (!isFieldPath(path)) report(['mapping', path], 'is not the path of a field');
    else if (workflow && !Object.hasOwn(workflow, node))
      report(['mapping', path], `needs a node ${node} in the workflow`);
  }
  const problem = problemOfFields(model, names);
  if (problem) report(['mapping'], problem);
}

/** Why the mapping can't build fields, such as a path through a text. */
function problemOfFields({ mapping, workflow }: Model, names: readonly string[]): string | null {
  if (!Object.keys(mapping).every(isFieldPath)) return null;
  try {
    vendorFields(mapping, Object.fromEntries(names.map((name) => [name, name])), workflow ?? {});
    return null;
  } catch (error) {
    return `cannot be used: ${(error as Error).message}`;
  }
}
