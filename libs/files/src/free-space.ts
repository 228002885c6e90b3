import type { StorageUse } from './domain/storage-use.ts';
import type { ObjectStorage, StorageSpace } from './ports.ts';

/** Checks the space left by quotas and the object storage. */
export class FreeSpace implements StorageSpace {
  constructor(
    private readonly quotas: StorageSpace,
    private readonly storage: Pick<ObjectStorage, 'requireSpace'>,
  ) {}

  of(workspaceId: number): Promise<StorageUse> {
    return this.quotas.of(workspaceId);
  }

  async requireSome(workspaceId: number): Promise<void> {
    await this.storage.requireSpace();
    await this.quotas.requireSome(workspaceId);
  }
}
