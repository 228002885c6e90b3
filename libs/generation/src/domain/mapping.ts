import type { JsonValue } from './model.ts';

/**
 * How a call becomes the vendor's fields: for each field, by its path with dots (`input.prompt`), its value. In a value,
 * at any depth:
 * - the text `{name}` alone stands for the value of that name with its type; a field whose value is absent is left out,
 *   and in a list an absent value is left out and a list is inserted with its elements;
 * - `{name}` within a text is replaced by the value as text, or by nothing;
 * - `{ from: name, values: { value: replacement } }` stands for the replacement of the value of that name;
 * - anything else stands for itself.
 *
 * Names are `prompt`, `image`, `style`, `references`, `mask`, `control`, and those of the model's parameters.
 */
export type Mapping = Readonly<Record<string, JsonValue>>;
