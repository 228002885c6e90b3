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

const FILES_A_JOB = 1000;

/** Files that lost a reference may be needed by nothing now. */
export async function offerToReclaim(jobs: Jobs, files: readonly (number | null)[]): Promise<void> {
  const fileIds = files.filter((id) => id !== null);
  for (let start = 0; start < fileIds.length; start += FILES_A_JOB) {
    const batch = fileIds.slice(start, start + FILES_A_JOB);
    await jobs.announce({ name: 'files.reclaim', payload: { fileIds: batch } });
  }
}
