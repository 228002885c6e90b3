import type { Actor } from '#identity';
import { invalidField, notFound, type UnitOfWork } from '#kernel';
import { itemToFollow, placed, type AfterRequest, type Placed } from './domain/order.ts';
import { onLockedBoard } from './folders.ts';
import type { FolderStore, PlaceStore } from './ports.ts';

/** The order that people give to the items of a folder. */
export class BoardOrder {
  constructor(
    private readonly folders: Pick<FolderStore, 'lock'>,
    private readonly places: PlaceStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Puts media items of one folder after an item of that folder, or first.
   *
   * @returns the items with new places
   * @throws DomainError `not_found` (board or media item), `validation_failed`
   */
  put(
    actor: Actor,
    boardId: number,
    { ids, ...request }: AfterRequest & { readonly ids: readonly number[] },
  ): Promise<readonly Placed[]> {
    const items = ids.map((id) => ({ kind: 'media', id }) as const);
    const after = itemToFollow(request) ?? null;
    return onLockedBoard(this.folders, this.unitOfWork, actor, boardId, async () => {
      const folders = await this.places.foldersOf(boardId, ids);
      if (ids.some((id) => !folders.has(id))) throw notFound('media');
      const [folderId = null, ...others] = new Set(folders.values());
      if (others.length > 0) throw invalidField('ids', 'must be in one folder');
      const changed = placed(await this.places.order(boardId, folderId), items, after);
      await this.places.save(changed);
      return changed;
    });
  }
}
