import type { Model } from './model.ts';

/** JSON Schema (2020-12) of an object. */
export interface ParametersSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What a request may send for a model, as JSON Schema: the declarations are written in its words already. */
export function parametersSchema(model: Model): ParametersSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(model.parameters).map(([name, parameter]) => [name, { ...parameter }]),
    ),
  };
}
