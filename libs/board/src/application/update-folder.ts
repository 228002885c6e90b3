import { notFound, type UnitOfWork } from '#kernel';
import type { Actor } from '#identity';
import type { Folder } from '../domain/board.ts';
import { nameOf } from '../domain/names.ts';
import type { Folders } from '../ports/folders.ts';
import { placeFolder } from './place-folder.ts';

/** Renames or moves a folder, or both; what is undefined stays. */
export class UpdateFolder {
  readonly #folders: Folders;
  readonly #unitOfWork: UnitOfWork;

  constructor(folders: Folders, unitOfWork: UnitOfWork) {
    this.#folders = folders;
    this.#unitOfWork = unitOfWork;
  }

  /** @throws DomainError `not_found` (board, folder or parent), `folder_cycle`, `validation_failed` */
  run(
    actor: Actor,
    boardId: number,
    folderId: number,
    change: { readonly name?: string; readonly parentId?: number | null },
  ): Promise<Folder> {
    const name = change.name === undefined ? undefined : nameOf(change.name);
    return this.#unitOfWork.run(async () => {
      if (!(await this.#folders.lock(actor.workspaceId, boardId))) throw notFound('board');
      if (change.parentId !== undefined) {
        await placeFolder(this.#folders, boardId, change.parentId, folderId);
      }
      const folder = await this.#folders.update(boardId, folderId, { name, parentId: change.parentId });
      if (!folder) throw notFound('folder');
      return folder;
    });
  }
}
