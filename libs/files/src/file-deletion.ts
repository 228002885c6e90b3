import { forEach, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { stagingKey } from './domain/object-key.ts';
import { leftoversOf, type Upload } from './domain/upload.ts';
import type { DiscardedFiles, MultipartUpload, ObjectStorage, UploadRecords } from './ports.ts';

/** Files checked by one job. */
const FILES_PER_JOB = 1000;
/** After this time, locked files are tried again. */
const RETRY_SECONDS = 5;
/** Multipart uploads that are abandoned at the same time, each in a call of its own. */
const ABANDONED_AT_ONCE = 8;

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

/** What the deletion of files works on. */
export interface FileDeletionParts {
  readonly discarded: DiscardedFiles;
  readonly uploads: UploadRecords;
  readonly storage: ObjectStorage;
  readonly jobs: Jobs;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** Items that one transaction processes. */
  readonly batchSize: number;
}

/** Deletes files that nothing needs: records first, then their bytes. */
export class FileDeletion {
  constructor(private readonly to: FileDeletionParts) {}

  /**
   * Deletes those of these files that nothing needs.
   *
   * @throws DomainError `unavailable`
   */
  async deleteUnneeded(fileIds: readonly number[], signal: AbortSignal): Promise<void> {
    const { discarded, jobs, unitOfWork, clock } = this.to;
    await unitOfWork.run(async () => {
      const locked = await discarded.discardUnneeded(fileIds, clock.now());
      if (locked.length === 0) return;
      // The owner of the lock may be about to refer to the file, or about to fail.
      const job = { name: 'files.reclaim', payload: { fileIds: locked } } as const;
      await jobs.announce(job, { delaySeconds: RETRY_SECONDS });
    });
    await this.deleteObjects(signal);
  }

  /**
   * Deletes what a deleted persona leaves behind: its files, its uploads, and finally its record.
   *
   * @throws DomainError `unavailable`
   */
  async purgePersona(personaId: number, signal: AbortSignal): Promise<void> {
    const { discarded, jobs, unitOfWork, clock } = this.to;
    await inBatches(this.to.batchSize, signal, (limit) =>
      unitOfWork.run(() => discarded.detachFromPersona(personaId, clock.now(), limit)),
    );
    await this.deleteObjects(signal);
    await inBatches(this.to.batchSize, signal, (limit) => unitOfWork.run(() => this.#dropUploads(personaId, limit)));
    await unitOfWork.run(async () => {
      if (await discarded.removePersona(personaId)) return;
      // Some of it was locked.
      const job = { name: 'persona.purge', payload: { personaId } } as const;
      await jobs.announce(job, { delaySeconds: RETRY_SECONDS });
    });
  }

  async #dropUploads(personaId: number, limit: number): Promise<number> {
    const uploads = await this.to.uploads.take({ personaId }, limit);
    await this.deleteLeftovers(uploads);
    await this.to.uploads.drop(uploads.map((upload) => upload.id));
    return uploads.length;
  }

  /**
   * Deletes the bytes that belong to no file.
   *
   * @param batches at most this many; by default until none is left
   * @returns how many objects were deleted
   * @throws DomainError `unavailable`
   */
  async deleteObjects(signal?: AbortSignal, batches?: number): Promise<number> {
    const { discarded, storage, unitOfWork, clock } = this.to;
    const step = (limit: number): Promise<number> =>
      unitOfWork.run(async () => {
        const keys = await discarded.takeObjects(clock.now(), limit);
        await storage.delete(keys);
        return keys.length;
      });
    return inBatches(this.to.batchSize, signal, step, batches);
  }

  /** Deletes the bytes that these uploads may have left behind. */
  async deleteLeftovers(uploads: readonly Upload[]): Promise<void> {
    const { storage } = this.to;
    const waiting = uploads.flatMap(({ token, parts }): MultipartUpload[] =>
      parts ? [{ key: stagingKey(token), ...parts }] : [],
    );
    await forEach(waiting, ABANDONED_AT_ONCE, (upload) => storage.parts.abandon(upload));
    await storage.delete(uploads.flatMap(leftoversOf));
  }
}

/**
 * Repeats `step` until it processes fewer items than `limit`.
 *
 * @param limit how many items a step processes at most
 * @param signal when aborted, its reason is thrown before the next step
 * @param batches how many steps at most
 * @returns how many items were processed
 */
export async function inBatches(
  limit: number,
  signal: AbortSignal | undefined,
  step: (limit: number) => Promise<number>,
  batches = Infinity,
): Promise<number> {
  let all = 0;
  for (let batch = 0; batch < batches; batch++) {
    signal?.throwIfAborted();
    const done = await step(limit);
    all += done;
    if (done < limit) break;
  }
  return all;
}
