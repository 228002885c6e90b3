import { LASTING, type Model, type ModelInputs } from '../domain/model.ts';

/** An optional image and an optional style reference. */
export function modelInputs(overrides: Partial<ModelInputs> = {}): ModelInputs {
  const further = { references: 'none', maxReferences: 6, mask: 'none', control: 'none' } as const;
  const styles = { styleWeights: 'none', pictures: 'none', minPictures: 1, maxPictures: 20 } as const;
  return { image: 'optional', style: 'optional', ...further, ...styles, ...overrides };
}

/** An image model without required inputs. */
export function aModel(overrides: Partial<Model> = {}): Model {
  return {
    id: 'test-image',
    revision: null,
    title: 'Test pictures',
    description: 'Makes test pictures.',
    kind: 'image',
    tasks: ['generate'],
    family: null,
    provider: 'test',
    target: 'test-image',
    workflow: null,
    inputs: modelInputs(),
    parameters: {},
    mapping: {},
    result: null,
    cost: { credits: 4, parameter: null, per: 'output' },
    timeLimitSeconds: 600,
    ...LASTING,
    ...overrides,
  };
}

/** A model that trains styles of the family `test` on 3 to 6 pictures. */
export function aTrainer(overrides: Partial<Model> = {}): Model {
  const pictures = { pictures: 'required', minPictures: 3, maxPictures: 6 } as const;
  const inputs = modelInputs({ image: 'none', style: 'none', ...pictures });
  return aModel({ id: 'test-style', kind: 'style', tasks: [], family: 'test', inputs, ...overrides });
}

/** A video model, which requires a start frame. */
export function aVideoModel(overrides: Partial<Model> = {}): Model {
  return aModel({ id: 'test-video', kind: 'video', inputs: modelInputs({ image: 'required' }), ...overrides });
}
