import { MAX_DEPTH, type FolderStore } from '#board';
import type { Actor } from '#identity';
import { DomainError, notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { Obstacle, Restored, TrashEntry, TrashStore } from './ports.ts';

/** Files that one job works on. */
const FILES_PER_JOB = 1000;

const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  unfinished: 'it is still being moved to the trash: try again in a moment',
  folder: 'the folder that it was in is gone: restore that first',
  files: 'files of it are still being moved or are gone: try again in a moment',
};

/** Restores what was deleted, or deletes it for good. */
export class Trash {
  constructor(
    private readonly to: {
      readonly trash: TrashStore;
      readonly folders: FolderStore;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Brings back an entry with its ids; a job brings back the bytes of its files.
   *
   * @throws DomainError `not_found`; `conflict` when its board or folder is gone
   */
  restore({ workspaceId }: Pick<Actor, 'workspaceId'>, entryId: number): Promise<TrashEntry> {
    return this.to.unitOfWork.run(async () => {
      const entry = await this.#locked(workspaceId, entryId);
      await this.#lockBoard(workspaceId, entry);
      const restored = unobstructed(await this.to.trash.restore(entry));
      if (entry.kind === 'folder') await this.#checkDepth(entry, restored.parentId);
      await this.#announce(workspaceId, restored);
      return entry;
    });
  }

  /**
   * Deletes an entry for good, and the bytes of its files without grace.
   *
   * @throws DomainError `not_found`; `conflict` while it is being moved to the trash
   */
  async erase({ workspaceId }: Pick<Actor, 'workspaceId'>, entryId: number): Promise<void> {
    await this.to.unitOfWork.run(async () => {
      const fileIds = unobstructed(await this.to.trash.drop(await this.#locked(workspaceId, entryId)));
      for (const batch of batchesOf(fileIds)) {
        await this.to.jobs.announce({ name: 'files.erase', payload: { fileIds: batch }, workspaceId });
      }
    });
  }

  async #locked(workspaceId: number, entryId: number): Promise<TrashEntry> {
    const entry = await this.to.trash.lock(workspaceId, entryId, this.to.clock.now());
    if (!entry) throw notFound('trash entry');
    return entry;
  }

  async #lockBoard(workspaceId: number, { boardId }: TrashEntry): Promise<void> {
    if (boardId === null || (await this.to.folders.lock(workspaceId, boardId))) return;
    throw new DomainError('conflict', 'the board that it was on is gone: restore that first');
  }

  /** Its parent may be deeper than it was. */
  async #checkDepth({ boardId, itemId }: TrashEntry, parentId: number | null): Promise<void> {
    const survey = await this.to.folders.survey(boardId!, parentId, itemId);
    if ('missing' in survey || survey.path.length + survey.height <= MAX_DEPTH) return;
    throw new DomainError('conflict', `folders nest at most ${MAX_DEPTH} deep: move its parent folder up first`);
  }

  async #announce(workspaceId: number, { keys, media, trainings }: Restored): Promise<void> {
    const { jobs } = this.to;
    for (const batch of batchesOf(keys)) {
      await jobs.announce({ name: 'files.restore', payload: { keys: batch }, workspaceId });
    }
    for (const { id: mediaId, revision } of media) {
      await jobs.announce({ name: 'media.process', payload: { mediaId, revision }, workspaceId });
    }
    for (const { id: trainingId, pictureVersion } of trainings) {
      await jobs.announce({ name: 'training.process', payload: { trainingId, pictureVersion }, workspaceId });
    }
  }
}

function unobstructed<T>(result: T | { readonly obstacle: Obstacle }): T {
  if (result !== null && typeof result === 'object' && 'obstacle' in result) {
    throw new DomainError('conflict', OBSTACLES[result.obstacle]);
  }
  return result as T;
}

function batchesOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / FILES_PER_JOB);
  return Array.from({ length: count }, (_, index) => all.slice(index * FILES_PER_JOB, (index + 1) * FILES_PER_JOB));
}
