import type { GenerationRequest } from '../domain/generation.ts';
import type { Model } from '../domain/model.ts';

/** An image model that takes everything and needs nothing. */
export function aModel(overrides: Partial<Model> = {}): Model {
  return {
    id: 'test-image',
    kind: 'image',
    provider: 'test',
    description: 'Makes test pictures.',
    cost: 4,
    inputs: { image: 'optional', styleReference: 'optional' },
    parameters: {},
    ...overrides,
  };
}

/** A video model, which needs a picture to start with. */
export function aVideoModel(overrides: Partial<Model> = {}): Model {
  return aModel({
    id: 'test-video',
    kind: 'video',
    inputs: { image: 'required', styleReference: 'optional' },
    ...overrides,
  });
}

export function aGenerationRequest(overrides: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    workspaceId: 1,
    userId: 1,
    personaId: 1,
    model: 'test-image',
    kind: 'image',
    prompt: null,
    parameters: {},
    inputs: { image: null, styleReference: null },
    cost: 4,
    createdAt: new Date('2026-03-14T09:26:53.589Z'),
    ...overrides,
  };
}
