import type { Jobs } from '#kernel';

/** Files looked at by one job. */
const BATCH = 1000;

/** Has the files deleted that nothing needs any more. */
export async function reclaimFiles(jobs: Jobs, fileIds: readonly number[]): Promise<void> {
  for (let start = 0; start < fileIds.length; start += BATCH) {
    const batch = fileIds.slice(start, start + BATCH);
    await jobs.announce({ name: 'files.reclaim', payload: { fileIds: batch } });
  }
}
