import type { ModelDto } from '../api/index.ts';
import { inputLabels } from './Inputs.tsx';
import { parameterFields } from './parameter-fields.ts';

/** The labels of the fields that a model adds to the prompt, by their field of the request. */
export function fieldLabels(model: ModelDto): Readonly<Record<string, string>> {
  const parameters = parameterFields(model.parameters).map(({ name, label }) => [name, label]);
  return { ...Object.fromEntries(parameters), ...inputLabels(model) };
}
