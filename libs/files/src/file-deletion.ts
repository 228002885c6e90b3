import type { EventLog, NewEvent } from '#events';
import { forEach, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { keptUntil } from './domain/deletion.ts';
import { stagingKey } from './domain/object-key.ts';
import { forgottenAt, leftoversOf, type Upload } from './domain/upload.ts';
import { bringBackBytes, keepBytes } from './kept-bytes.ts';
import type { DiscardedFiles, FileRecords, MultipartUpload, ObjectStorage, UploadRecords } from './ports.ts';

/** Maximum number of files checked by one job. */
const FILES_PER_JOB = 1000;
/** Delay before locked files are tried again. */
const RETRY_SECONDS = 5;
/** Multipart uploads that are abandoned at the same time, each in a call of its own. */
const ABANDONED_AT_ONCE = 8;
/** Maximum age of frozen bytes that a call of finalize still works on. */
const FREEZING_MS = 3_600_000;
const GROUP_SIZE = 1000;

/**
 * Schedules a job that deletes those of the given files that are unreferenced when it runs. Call it wherever a
 * reference to a file is removed, in the same unit of work. Null ids are skipped.
 */
export async function scheduleFileDeletion(
  jobs: Jobs,
  workspaceId: number | null,
  files: readonly (number | null)[],
): Promise<void> {
  for (const fileIds of groupsOf(files.filter((id) => id !== null))) {
    await jobs.announce({ name: 'files.reclaim', payload: { fileIds }, workspaceId });
  }
}

/** Schedules the rest of a deletion. Call it in the unit of work of the deletion. */
export async function announceDeletion(jobs: Jobs, workspaceId: number, entryIds: readonly number[]): Promise<void> {
  if (entryIds.length === 0) return;
  await jobs.announce({ name: 'deletion.carry_out', payload: { entryIds }, workspaceId });
}

function groupsOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / FILES_PER_JOB);
  return Array.from({ length: count }, (_, index) => all.slice(index * FILES_PER_JOB, (index + 1) * FILES_PER_JOB));
}

/** The counts of a sweep. */
export interface SweepReport {
  /** Expired temporary files. */
  readonly expired: number;
  /** Objects without a file that were deleted, or moved out of the public prefix. */
  readonly deleted: number;
  /** Cleaned-up uploads. */
  readonly uploads: number;
  /** Deleted objects of interrupted finalize calls. */
  readonly abandoned: number;
}

/**
 * Deletes unreferenced files: records first, then their bytes. A file that only trash entries refer to stays in the
 * trash. The bytes of permanent files leave the public prefix at once and are deleted after their grace period.
 */
export class FileDeletion {
  readonly #groupSize: number;

  constructor(
    private readonly deps: {
      readonly files: Pick<FileRecords, 'lockKeys'>;
      readonly discarded: DiscardedFiles;
      readonly uploads: UploadRecords;
      readonly storage: ObjectStorage;
      readonly events: EventLog;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      /** How many days the bytes of deleted files are kept; 0 by default. */
      readonly graceDays?: number;
      /** Maximum number of items per transaction; 1,000 by default. */
      readonly groupSize?: number;
    },
  ) {
    this.#groupSize = deps.groupSize ?? GROUP_SIZE;
  }

  /**
   * Decides for each file whether it stays, moves to the trash, or is deleted.
   *
   * @throws DomainError `unavailable`
   */
  async deleteUnneeded(fileIds: readonly number[], signal: AbortSignal): Promise<void> {
    await this.#decide('files.reclaim', fileIds, this.#keptUntil(), signal);
  }

  /**
   * Like `deleteUnneeded`, but without a grace period for the bytes.
   *
   * @throws DomainError `unavailable`
   */
  async erase(fileIds: readonly number[], signal: AbortSignal): Promise<void> {
    await this.#decide('files.erase', fileIds, null, signal);
  }

  async #decide(
    name: 'files.reclaim' | 'files.erase',
    fileIds: readonly number[],
    keptUntil: Date | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { discarded, jobs, unitOfWork, clock } = this.deps;
    for (const group of groupsOf(fileIds)) {
      signal.throwIfAborted();
      await unitOfWork.run(async () => {
        const { locked, revived } = await discarded.decide(group, clock.now(), keptUntil);
        if (revived.length > 0) {
          await jobs.announce({ name: 'files.restore', payload: { keys: revived }, workspaceId: null });
        }
        if (locked.length === 0) return;
        // The transaction that holds the lock may still refer to the file, or fail.
        const job = { name, payload: { fileIds: locked }, workspaceId: null } as const;
        await jobs.announce(job, { delaySeconds: RETRY_SECONDS });
      });
    }
    await this.#deleteObjects(signal);
  }

  /**
   * Restores the bytes of restored files, unless they were deleted again.
   *
   * @throws DomainError `unavailable`
   */
  async bringBack(keys: readonly string[]): Promise<void> {
    const { files, unitOfWork, storage } = this.deps;
    await unitOfWork.run(async () => {
      await bringBackBytes(storage, await files.lockKeys(keys));
    });
  }

  /**
   * Deletes the uploads of a deleted persona.
   *
   * @throws DomainError `unavailable`
   */
  async deleteUploads(personaId: number, signal: AbortSignal): Promise<void> {
    await this.#each((limit) => this.#dropUploads(personaId, limit), signal);
  }

  /**
   * Deletes the files of an emptied trash entry and, if it is a persona's, the files of the persona, except for files
   * that something else refers to. Their bytes have no grace period.
   *
   * @throws DomainError `unavailable`
   */
  async deleteFilesOf(entryId: number, personaId: number | null, signal: AbortSignal): Promise<void> {
    const { discarded, clock } = this.deps;
    if (personaId !== null) {
      await this.#each((limit) => discarded.detachFromPersona(personaId, clock.now(), limit), signal);
    }
    await this.#each((limit) => discarded.discardOf(entryId, clock.now(), limit), signal);
    await this.#deleteObjects(signal);
  }

  async #dropUploads(personaId: number, limit: number): Promise<number> {
    const uploads = await this.deps.uploads.take({ personaId }, limit);
    await this.#deleteLeftovers(uploads);
    await this.deps.uploads.drop(uploads.map((upload) => upload.id));
    return uploads.length;
  }

  /**
   * Deletes everything that is due. Sweeps may run concurrently; the next sweep finishes an interrupted one.
   *
   * @throws DomainError `unavailable`; the reason of `signal` when that is aborted
   */
  async sweep(signal?: AbortSignal): Promise<SweepReport> {
    const { discarded, clock } = this.deps;
    const now = clock.now();
    // Before files expire: the sweep takes an expired upload again only when it drops it, which may be late.
    const uploads = await this.#each((limit) => this.#cleanUpUploads(now, limit), signal);
    const { expired, deleted } = await this.#expire(now, signal);
    await this.#each((limit) => discarded.reviewAdded(now, limit, this.#keptUntil()), signal);
    const deletedAfter = await this.#deleteObjects(signal);
    const abandoned = await this.#deleteFrozen(new Date(now.getTime() - FREEZING_MS), signal);
    return { expired, deleted: deleted + deletedAfter, uploads, abandoned };
  }

  /** While the database discards a group, the storage deletes the previous one. */
  async #expire(now: Date, signal: AbortSignal | undefined): Promise<{ expired: number; deleted: number }> {
    const { unitOfWork } = this.deps;
    let previous = 0;
    let deleted = 0;
    const expired = await inGroups(this.#groupSize, signal, async (limit) => {
      const work = [
        unitOfWork.run(() => this.#discardExpired(now, limit)),
        previous > 0 ? unitOfWork.run(() => this.#deleteSomeObjects(limit)) : Promise.resolve(0),
      ] as const;
      // When one of the two fails, the other must have ended before the error is thrown.
      await Promise.allSettled(work);
      const [discardedNow, deletedNow] = await Promise.all(work);
      deleted += deletedNow;
      return (previous = discardedNow);
    });
    return { expired, deleted };
  }

  async #discardExpired(now: Date, limit: number): Promise<number> {
    const files = await this.deps.discarded.discardExpired(now, forgottenAt(now), limit);
    const events = files.map(({ id, workspaceId, filename, customer }): NewEvent => {
      const facts = { id, filename };
      return { workspaceId, type: 'file.expired', subjectId: id, customer, facts, createdAt: now };
    });
    if (events.length > 0) await this.deps.events.record(...events);
    return files.length;
  }

  async #cleanUpUploads(now: Date, limit: number): Promise<number> {
    const uploads = await this.deps.uploads.take({ dueBy: now }, limit);
    if (uploads.length === 0) return 0;
    await this.#deleteLeftovers(uploads);
    await this.deps.uploads.finish(uploads.map((upload) => upload.id));
    return uploads.length;
  }

  async #deleteFrozen(before: Date, signal: AbortSignal | undefined): Promise<number> {
    let all = 0;
    for await (const objects of this.deps.storage.list('frozen/')) {
      signal?.throwIfAborted();
      const old = objects.filter((object) => object.modifiedAt < before);
      await this.deps.storage.delete(old.map((object) => object.key));
      all += old.length;
    }
    return all;
  }

  #keptUntil(): Date | null {
    return keptUntil(this.deps.clock.now(), this.deps.graceDays ?? 0);
  }

  /** Deletes or moves the objects without a file, and returns their number. */
  #deleteObjects(signal: AbortSignal | undefined): Promise<number> {
    return this.#each((limit) => this.#deleteSomeObjects(limit), signal);
  }

  async #deleteSomeObjects(limit: number): Promise<number> {
    const { discarded, storage, clock } = this.deps;
    const { toDelete, toKeep } = await discarded.takeObjects(clock.now(), limit);
    await storage.delete(toDelete);
    await keepBytes(storage, toKeep);
    return toDelete.length + toKeep.length;
  }

  /** Deletes the leftover bytes of these uploads. */
  async #deleteLeftovers(uploads: readonly Upload[]): Promise<void> {
    const { storage } = this.deps;
    const waiting = uploads.flatMap(({ token, parts }): MultipartUpload[] =>
      parts ? [{ key: stagingKey(token), ...parts }] : [],
    );
    await forEach(waiting, ABANDONED_AT_ONCE, (upload) => storage.parts.abandon(upload));
    await storage.delete(uploads.flatMap(leftoversOf));
  }

  /** Repeats `step` in groups, each in a unit of work. */
  #each(step: (limit: number) => Promise<number>, signal: AbortSignal | undefined): Promise<number> {
    return inGroups(this.#groupSize, signal, (limit) => this.deps.unitOfWork.run(() => step(limit)));
  }
}

/** Repeats `step` until it processes fewer items than `limit`, or `signal` is aborted; returns the total. */
async function inGroups(
  limit: number,
  signal: AbortSignal | undefined,
  step: (limit: number) => Promise<number>,
): Promise<number> {
  let all = 0;
  for (;;) {
    signal?.throwIfAborted();
    const done = await step(limit);
    all += done;
    if (done < limit) return all;
  }
}
