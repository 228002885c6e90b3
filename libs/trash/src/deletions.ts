import type { FileDeletion } from '#files';
import type { Clock, Jobs, UnitOfWork } from '#kernel';
import type { DeletedItem, DeletionStore } from './ports.ts';

/** Rows purged in one transaction. */
const GROUP_SIZE = 1000;
/** Delay before an entry with locked files is tried again. */
const RETRY_SECONDS = 5;

interface Collaborators {
  readonly deletions: DeletionStore;
  readonly files: Pick<FileDeletion, 'deleteUnneeded' | 'deleteFilesOf' | 'deleteUploads'>;
  readonly generations: { endOfPersona(personaId: number, signal: AbortSignal): Promise<void> };
  readonly jobs: Jobs;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** Completes deletions after the request that made them, and purges expired trash entries. */
export class Deletions {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Moves the files of deleted items out of the public prefix, and purges the entries that have expired. Can be repeated.
   *
   * @throws DomainError `unavailable`
   */
  async carryOut(entryIds: readonly number[], signal: AbortSignal): Promise<void> {
    const { deletions, files, generations, unitOfWork, clock } = this.deps;
    const items = await unitOfWork.run(() => deletions.find(entryIds));
    for (const { kind, itemId } of items) {
      if (kind !== 'persona') continue;
      await generations.endOfPersona(itemId, signal);
      await files.deleteUploads(itemId, signal);
    }
    await files.deleteUnneeded(await deletions.filesOf(items.map(({ id }) => id)), signal);
    for (const item of items) if (item.expiresAt <= clock.now()) await this.#purge(item, signal);
  }

  /**
   * Purges the expired entries. A failing entry does not stop the others.
   *
   * @returns the number of expired entries
   * @throws the first failure, after trying all entries
   */
  async sweep(signal: AbortSignal): Promise<number> {
    const expired = await this.deps.deletions.expired(this.deps.clock.now(), GROUP_SIZE);
    const failures: unknown[] = [];
    for (const entryId of expired) {
      signal.throwIfAborted();
      await this.carryOut([entryId], signal).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
    return expired.length;
  }

  async #purge(item: DeletedItem, signal: AbortSignal): Promise<void> {
    const { deletions, files, jobs, unitOfWork } = this.deps;
    do signal.throwIfAborted();
    while (await unitOfWork.run(() => deletions.deleteSome(item, GROUP_SIZE)));
    await files.deleteFilesOf(item.id, item.kind === 'persona' ? item.itemId : null, signal);
    await unitOfWork.run(async () => {
      if (await deletions.deleteRest(item)) return;
      const { id, workspaceId } = item;
      const job = { name: 'deletion.carry_out', payload: { entryIds: [id] }, workspaceId } as const;
      await jobs.announce(job, { delaySeconds: RETRY_SECONDS });
    });
  }
}
