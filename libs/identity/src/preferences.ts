import type { Metadata, UnitOfWork } from '#kernel';
import { changedPreferences } from './domain/preferences.ts';
import type { PreferenceStore } from './ports.ts';

/** Settings that clients keep for a user, such as the size of tiles: texts by name, which the service does not read. */
export class Preferences {
  constructor(
    private readonly store: PreferenceStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  read(userId: number): Promise<Metadata> {
    return this.store.read(userId);
  }

  /** @throws DomainError `validation_failed` */
  change(userId: number, changes: Metadata): Promise<Metadata> {
    return this.unitOfWork.run(async () => {
      const changed = changedPreferences(await this.store.lock(userId), changes);
      await this.store.save(userId, changed);
      return changed;
    });
  }
}
