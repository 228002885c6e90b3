import { scheduleFileDeletion } from '#files';
import { notFound, type Jobs, type UnitOfWork } from '#kernel';
import type { Actor } from '#identity';
import type { Deleted } from '../domain/board.ts';
import type { Folders } from '../ports/folders.ts';

export class DeleteFolder {
  readonly #folders: Folders;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;

  constructor(folders: Folders, jobs: Jobs, unitOfWork: UnitOfWork) {
    this.#folders = folders;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
  }

  /** @throws DomainError `not_found` (board or folder) */
  run(actor: Actor, boardId: number, folderId: number): Promise<Deleted> {
    return this.#unitOfWork.run(async () => {
      if (!(await this.#folders.lock(actor.workspaceId, boardId))) throw notFound('board');
      const removed = await this.#folders.remove(boardId, folderId);
      if (!removed) throw notFound('folder');
      await scheduleFileDeletion(this.#jobs, removed.fileIds);
      return removed.deleted;
    });
  }
}
