import type { ModelDto } from '../api/index.ts';
import { FIELDS_OF, type InputName } from './draft.ts';
import { parameterFields } from './parameter-fields.ts';
import { words } from './words.ts';

const text = words.input;

/** The labels of the fields that a model adds to the prompt, by their field of the request. */
export function fieldLabels(model: ModelDto): Readonly<Record<string, string>> {
  const parameters = parameterFields(model.parameters).map(({ name, label }) => [name, label]);
  return { ...Object.fromEntries(parameters), ...inputLabels(model) };
}

/** The labels of the input pictures, by their field of the request. */
function inputLabels(model: ModelDto): Readonly<Record<string, string>> {
  const inputs = Object.keys(FIELDS_OF) as InputName[];
  return Object.fromEntries(
    inputs.flatMap((input) =>
      FIELDS_OF[input].map((field, at) => [
        field,
        input === 'references' ? text.reference(at + 1) : labelOf(input, model),
      ]),
    ),
  );
}

export function labelOf(input: InputName, model: ModelDto): string {
  return input === 'image' && model.kind === 'video' ? text.names.start_frame : text.names[input];
}
