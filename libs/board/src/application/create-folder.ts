import { notFound, type Clock, type UnitOfWork } from '#kernel';
import type { Actor } from '#identity';
import type { Folder } from '../domain/board.ts';
import { nameOf } from '../domain/names.ts';
import type { Folders } from '../ports/folders.ts';
import { placeFolder } from './place-folder.ts';

export class CreateFolder {
  readonly #folders: Folders;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(folders: Folders, unitOfWork: UnitOfWork, clock: Clock) {
    this.#folders = folders;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `not_found` (board or parent), `validation_failed` */
  async run(
    actor: Actor,
    boardId: number,
    request: { readonly name: string; readonly parentId: number | null },
  ): Promise<Folder> {
    const folder = {
      workspaceId: actor.workspaceId,
      boardId,
      parentId: request.parentId,
      name: nameOf(request.name),
      createdAt: this.#clock.now(),
    };
    // At the root there is nothing to judge: one statement.
    const added =
      request.parentId === null
        ? await this.#folders.add(folder)
        : await this.#unitOfWork.run(async () => {
            if (!(await this.#folders.lock(actor.workspaceId, boardId))) return null;
            await placeFolder(this.#folders, boardId, request.parentId, null);
            return this.#folders.add(folder);
          });
    if (!added) throw notFound('board');
    return added;
  }
}
