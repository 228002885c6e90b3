import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { NO_CUSTOM_DATA } from '#kernel';
import { aModel } from '#testing/catalogue';
import type { GenerationRequest } from '../domain/generation.ts';
import { inputSetOf, placesOf } from '../domain/input-set.ts';
import type { RemoteTask, SubmittedTask } from '../ports.ts';

/** No pictures in any place. */
export const NO_INPUTS = { image: null, style: null, references: [], mask: null, control: null, pictures: [] } as const;

export function aGenerationRequest(overrides: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    workspaceId: 1,
    userId: 1,
    personaId: 1,
    model: 'test-image',
    modelRevision: null,
    requestedModel: overrides.model ?? 'test-image',
    kind: 'image',
    prompt: null,
    parameters: {},
    inputs: NO_INPUTS,
    trainedStyle: null,
    parent: null,
    batch: null,
    webhook: null,
    ...NO_CUSTOM_DATA,
    cost: 4,
    createdAt: new Date('2026-03-14T09:26:53.589Z'),
    ...overrides,
  };
}

/** A task for a vendor, without inputs. */
export function aRemoteTask(overrides: Partial<RemoteTask> = {}): RemoteTask {
  const task = { model: aModel(), prompt: null, parameters: {}, inputs: NO_INPUTS, trainedStyle: null, folder: '/' };
  return { requestKey: randomUUID(), ...task, ...overrides };
}

/** A task without pictures whose seed identifies it, as a search gets it. */
export function aSubmittedTask(overrides: Partial<SubmittedTask> = {}): SubmittedTask {
  const task = { model: aModel(), prompt: null, parameters: { seed: 7 }, pictures: NO_INPUTS, trigger: null };
  return { requestKey: randomUUID(), ...task, isIdentifiedBySeed: true, ...overrides };
}

/** A task as a search gets it, by default with an identifying seed. */
export async function asSubmitted(
  { inputs, trainedStyle, folder: _, ...task }: RemoteTask,
  isIdentifiedBySeed = true,
): Promise<SubmittedTask> {
  const sent = placesOf(inputs).map(async ({ picture: { url, file }, ...place }) => {
    const sha256 = async () =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
    return { ...place, picture: url === null ? { sha256: await sha256() } : { url } };
  });
  const trigger = trainedStyle?.trigger ?? null;
  return { ...task, trigger, pictures: inputSetOf(await Promise.all(sent)), isIdentifiedBySeed };
}
