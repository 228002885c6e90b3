import type { Jobs } from '#kernel';
import type { Training } from '../domain/training.ts';

/** Has the picture copied, where it is not a file of the workspace already. */
export async function announceProcessing(
  jobs: Jobs,
  training: Pick<Training, 'id' | 'state' | 'pictureVersion'>,
): Promise<void> {
  if (training.state !== 'created') return;
  const { id: trainingId, pictureVersion } = training;
  await jobs.announce({ name: 'training.process', payload: { trainingId, pictureVersion } });
}
