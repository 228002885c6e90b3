import type { Jobs } from '#kernel';

/** Files checked by one job. */
const FILES_PER_JOB = 1000;

/**
 * Schedules the deletion of those of these files that nothing needs when the job runs. Call it wherever a reference
 * to a file is removed, in the same unit of work. `null` stands for a reference to no file.
 */
export async function scheduleFileDeletion(jobs: Jobs, files: readonly (number | null)[]): Promise<void> {
  const fileIds = files.filter((id) => id !== null);
  for (let start = 0; start < fileIds.length; start += FILES_PER_JOB) {
    const batch = fileIds.slice(start, start + FILES_PER_JOB);
    await jobs.announce({ name: 'files.reclaim', payload: { fileIds: batch } });
  }
}
