import type { AuditLog } from '#audit-log';
import { assertMay, type Actor } from '#identity';
import { notFound, type Clock, type UnitOfWork } from '#kernel';
import type { LibraryFilter } from './domain/filter.ts';
import { checkedFilter, checkSavedSearches, searchNameOf, type SavedSearch } from './domain/saved-search.ts';
import type { SavedSearchStore } from './ports.ts';

/** Searches that the members of a workspace share. Their creator, admins and the owner change them. */
export class SavedSearches {
  constructor(
    private readonly searches: SavedSearchStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly auditLog: Pick<AuditLog, 'record'>,
  ) {}

  /** @throws DomainError `validation_failed`, `conflict` */
  async create(
    { workspaceId, userId }: Pick<Actor, 'workspaceId' | 'userId'>,
    name: string,
    filter: LibraryFilter,
  ): Promise<SavedSearch> {
    const now = this.clock.now();
    const checked = { name: searchNameOf(name), filter: checkedFilter(filter) };
    const search = { workspaceId, createdBy: userId, ...checked, createdAt: now, updatedAt: now };
    return this.unitOfWork.run(async () => {
      const added = await this.searches.add(search);
      checkSavedSearches(await this.searches.countOf(workspaceId, userId));
      return added;
    });
  }

  /**
   * Renames a search, or replaces its filter, or both.
   *
   * @throws DomainError `not_found`, `forbidden`, `validation_failed`, `conflict`
   */
  update(
    actor: Pick<Actor, 'workspaceId' | 'userId' | 'role'>,
    id: number,
    change: { readonly name?: string | undefined; readonly filter?: LibraryFilter | undefined },
  ): Promise<SavedSearch> {
    const name = change.name === undefined ? undefined : searchNameOf(change.name);
    const filter = change.filter && checkedFilter(change.filter);
    return this.#locked(actor, id, async (search) => {
      const { name: oldName, filter: oldFilter } = search;
      const changed = { ...search, name: name ?? oldName, filter: filter ?? oldFilter, updatedAt: this.clock.now() };
      await this.searches.save(changed);
      return changed;
    });
  }

  /** @throws DomainError `not_found`, `forbidden` */
  delete(actor: Pick<Actor, 'workspaceId' | 'userId' | 'role'>, id: number): Promise<void> {
    return this.#locked(actor, id, async () => {
      // Before the deletion, which takes the name with it.
      await this.auditLog.record({ action: 'search.delete', target: id, details: {} });
      await this.searches.delete(id);
    });
  }

  /** @throws DomainError `not_found`, `forbidden` */
  assertMayChange(actor: Pick<Actor, 'workspaceId' | 'userId' | 'role'>, id: number): Promise<void> {
    return this.#locked(actor, id, async () => undefined);
  }

  #locked<T>(
    actor: Pick<Actor, 'workspaceId' | 'userId' | 'role'>,
    id: number,
    work: (search: SavedSearch) => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(async () => {
      const search = await this.searches.lock(actor.workspaceId, id);
      if (!search) throw notFound('saved search');
      assertMay('search.change', actor, { createdBy: search.createdBy });
      return work(search);
    });
  }
}
