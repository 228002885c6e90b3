import { pictureNameOf, type PictureNames } from '#files';
import type { Actor } from '#identity';
import { notFound, type UnitOfWork } from '#kernel';
import { changedTags, tagsOf } from './domain/tags.ts';
import type { LibraryMarks, MarkedItem } from './ports.ts';

/** Maximum number of items that are marked at once. */
export const MAX_MARKED = 500;

/** Names, tags and ratings of items: every member of the workspace may change them. */
export class Library {
  constructor(
    private readonly marks: LibraryMarks,
    private readonly names: PictureNames,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Replaces the name, the tags and the rating of an item; undefined ones stay as they are.
   *
   * @throws DomainError `not_found`, `validation_failed`
   */
  async update(
    { workspaceId }: Pick<Actor, 'workspaceId'>,
    fileId: number,
    change: {
      readonly name?: string | undefined;
      readonly tags?: readonly string[] | undefined;
      readonly rating?: number | undefined;
    },
  ): Promise<void> {
    const name = change.name === undefined ? undefined : pictureNameOf(change.name);
    const tags = change.tags && changedTags([], { add: tagsOf(change.tags), remove: [] });
    return this.unitOfWork.run(async () => {
      const isFile = name === undefined || (await this.names.rename(workspaceId, { id: fileId }, name));
      const marked = await this.#change(workspaceId, [fileId], (item) => ({
        ...item,
        tags: tags ?? item.tags,
        rating: change.rating ?? item.rating,
      }));
      if (!isFile || marked.length === 0) throw notFound('item');
    });
  }

  /**
   * Adds tags to items, removes tags from them, and rates them. Ids that are no item of the workspace are left out.
   *
   * @returns the items as they are now
   * @throws DomainError `validation_failed`, also when an item would have too many tags: then none is changed
   */
  tag(
    { workspaceId }: Pick<Actor, 'workspaceId'>,
    fileIds: readonly number[],
    change: {
      readonly add?: readonly string[] | undefined;
      readonly remove?: readonly string[] | undefined;
      readonly rating?: number | undefined;
    },
  ): Promise<readonly MarkedItem[]> {
    const tags = { add: tagsOf(change.add ?? [], 'add'), remove: tagsOf(change.remove ?? [], 'remove') };
    return this.#change(workspaceId, [...new Set(fileIds)], (item) => ({
      ...item,
      tags: changedTags(item.tags, tags),
      rating: change.rating ?? item.rating,
    }));
  }

  #change(
    workspaceId: number,
    fileIds: readonly number[],
    change: (item: MarkedItem) => MarkedItem,
  ): Promise<readonly MarkedItem[]> {
    return this.unitOfWork.run(async () => {
      const changed = (await this.marks.lock(workspaceId, fileIds)).map(change);
      if (changed.length > 0) await this.marks.save(workspaceId, changed);
      return changed;
    });
  }
}
