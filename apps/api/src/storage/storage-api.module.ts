import { Module } from '@nestjs/common';
import { DiskObjectStorage } from '#adapters/storage';
import type { ObjectStorage } from '#files';
import { objectStorage, StorageModule } from '#wiring';
import { SignedUploadsController } from './signed-uploads.controller.ts';
import { StoredFilesController } from './stored-files.controller.ts';

/** The HTTP side of the disk store; a bucket has its own. */
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
