import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { TrainCall } from '#generation';
import { GenerationStage, type GenerationStageOptions } from './generation-store.ts';

export let stage: GenerationStage;

/** Gives each test of a suite a workspace with a persona whose slots 1 to 3 are filled. */
export function useStyles(options: GenerationStageOptions = {}): void {
  beforeAll(async () => (stage = await GenerationStage.open(options)));
  afterAll(() => stage.close());
  beforeEach(async () => {
    await stage.enter();
    for (const slot of [1, 2, 3]) await stage.fill(slot, await stage.newFile());
  });
}

export function train(changes: Partial<TrainCall> = {}) {
  const call = { personaId: stage.personaId, model: 'test-style', name: 'Oils', pictures: null, webhook: null };
  return stage.styles.train(stage.actor, { ...call, fields: {}, dryRun: false, ...changes });
}

/** Output of a trainer. */
export async function trained(text = '{"reference":"vendor-style-1"}') {
  const file = join(stage.folder, `trained-${crypto.randomUUID()}`);
  await writeFile(file, text);
  return [{ file, contentType: 'application/json', width: 0, height: 0, duration: null }];
}

/** Trains a style to its end; returns its id. */
export async function ready(meanwhile: () => Promise<unknown> = async () => {}): Promise<number> {
  const { styleId, accepted } = await train();
  await meanwhile();
  stage.work = () => trained();
  await stage.run(accepted.id!);
  stage.work = async () => [stage.aPicture];
  return styleId!;
}

export const idOf = (styleId: number) => ({
  workspaceId: stage.actor.workspaceId,
  personaId: stage.personaId,
  styleId,
});
export const style = async (styleId: number) => (await stage.styleViews.get(idOf(styleId)))!;
