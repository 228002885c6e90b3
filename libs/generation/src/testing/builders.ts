import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { GenerationRequest } from '../domain/generation.ts';
import { inputSetOf, placesOf } from '../domain/input-set.ts';
import type { Model, ModelInputs } from '../domain/model.ts';
import type { RemoteTask, SubmittedTask } from '../ports.ts';

/** An optional image and an optional style reference. */
export function modelInputs(overrides: Partial<ModelInputs> = {}): ModelInputs {
  const further = { references: 'none', maxReferences: 6, mask: 'none', control: 'none' } as const;
  return { image: 'optional', style: 'optional', ...further, ...overrides };
}

/** An image model without required inputs. */
export function aModel(overrides: Partial<Model> = {}): Model {
  return {
    id: 'test-image',
    title: 'Test pictures',
    description: 'Makes test pictures.',
    kind: 'image',
    provider: 'test',
    target: 'test-image',
    workflow: null,
    inputs: modelInputs(),
    parameters: {},
    mapping: {},
    cost: { credits: 4, parameter: null, per: 'output' },
    timeLimitSeconds: 600,
    ...overrides,
  };
}

/** A video model, which requires a start frame. */
export function aVideoModel(overrides: Partial<Model> = {}): Model {
  return aModel({ id: 'test-video', kind: 'video', inputs: modelInputs({ image: 'required' }), ...overrides });
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
    inputs: { image: null, style: null, references: [], mask: null, control: null },
    webhook: null,
    cost: 4,
    createdAt: new Date('2026-03-14T09:26:53.589Z'),
    ...overrides,
  };
}

/** A task as a search gets it, by default with an identifying seed. */
export async function asSubmitted(
  { inputs, folder: _, ...task }: RemoteTask,
  isIdentifiedBySeed = true,
): Promise<SubmittedTask> {
  const sent = placesOf(inputs).map(async ({ picture: { url, file }, ...place }) => {
    const sha256 = async () =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
    return { ...place, picture: url === null ? { sha256: await sha256() } : { url } };
  });
  return { ...task, pictures: inputSetOf(await Promise.all(sent)), isIdentifiedBySeed };
}
