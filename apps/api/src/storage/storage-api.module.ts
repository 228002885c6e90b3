import { Module } from '@nestjs/common';
import { DiskObjectStorage } from '#adapters/storage';
import type { ObjectStorage } from '#files';
import { objectStorage, StorageModule } from '#wiring';
import { SignedUploadsController, StoredFilesController } from './disk-storage.controllers.ts';

/** The routes of the disk storage; a bucket serves its objects itself. */
@Module({
  imports: [StorageModule],
  controllers: [SignedUploadsController, StoredFilesController],
  providers: [{ provide: DiskObjectStorage, useFactory: diskStorageOf, inject: [objectStorage] }],
})
export class StorageApiModule {}

function diskStorageOf(storage: ObjectStorage): DiskObjectStorage {
  if (storage instanceof DiskObjectStorage) return storage;
  throw new TypeError('only the disk store is served by the API');
}
