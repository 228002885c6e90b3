import { Module } from '@nestjs/common';
import { StorageModule } from '#wiring';
import { SignedUploadsController } from './signed-uploads.controller.ts';
import { StoredFilesController } from './stored-files.controller.ts';

/** The HTTP side of the disk store. */
@Module({ imports: [StorageModule], controllers: [SignedUploadsController, StoredFilesController] })
export class StorageApiModule {}
