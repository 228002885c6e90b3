import type { ModelDto } from '../api/index.ts';

const NO_INPUTS = {
  ...({ image: 'none', style: 'none', references: 'none', max_references: 0, mask: 'none', control: 'none' } as const),
  ...({ style_weights: 'none', pictures: 'none', min_pictures: 0, max_pictures: 0 } as const),
};

/** A model that takes no pictures but these, and these parameters. */
export function aModel(
  inputs: Partial<ModelDto['inputs']> = {},
  properties: object = {},
  fields: Partial<ModelDto> = {},
): ModelDto {
  return {
    ...{ id: 'painter', title: 'Painter', description: null, kind: 'image', provider: 'p', tasks: [], family: null },
    ...{ cost: 4, cost_parameter: null, cost_per: 'output' },
    inputs: { ...NO_INPUTS, ...inputs },
    parameters: { properties },
    ...{ retires_at: null, successor: null, aliases: [] },
    ...fields,
  };
}
