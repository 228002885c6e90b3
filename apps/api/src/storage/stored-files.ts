import { Controller, Get, Inject, Module, Put, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DiskObjectStorage, isBucket } from '#adapters/storage';
import { fileKeyOfPath, isProbeKey, stagingKey, type FileRecords, type ObjectStorage } from '#files';
import { DomainError, notFound } from '#kernel';
import { fileRecords, FilesModule, objectStorage, StorageModule } from '#wiring';
import { type ApiRequest, pathOf, Public, Unlimited } from '../http/index.ts';
import { receiveObject } from './receive-object.ts';
import { serveObject } from './serve-object.ts';

/** The signed URLs of the disk storage: the signature is the only permission. */
@ApiExcludeController()
@Controller('storage')
@Public()
@Unlimited()
export class SignedUploadsController {
  constructor(@Inject(DiskObjectStorage) private readonly storage: DiskObjectStorage) {}

  @Put('staging/:name')
  async putObject(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    request.isUpload = true;
    const [, name, query = ''] = /^\/storage\/staging\/([\w.-]+)(?:\?(.*))?$/.exec(request.originalUrl) ?? [];
    if (name === undefined) throw notFound('upload');
    await receiveObject(request, response, this.storage, { key: stagingKey(name), query });
  }
}

const FILES = '/files/';

/** The public files. */
@ApiExcludeController()
@Controller('files')
@Public()
@Unlimited()
export class StoredFilesController {
  constructor(
    @Inject(objectStorage) private readonly storage: ObjectStorage,
    @Inject(fileRecords) private readonly records: Pick<FileRecords, 'isPublic'>,
  ) {}

  @Get(':token/:filename')
  async getFile(@Req() request: Request, @Res() response: Response): Promise<void> {
    // From the path as it was sent: routing decodes its parameters, and keys are made from the encoded path.
    const path = pathOf(request);
    const key = path.startsWith(FILES) ? fileKeyOfPath(path.slice(FILES.length)) : null;
    if (key === null || !(await this.isPublic(key))) throw notFound('file');
    const { storage } = this;
    const isServed = storage instanceof DiskObjectStorage || isBucket(storage);
    if (!isServed) throw new TypeError('this storage can not be served');
    await serveObject(request, response, storage, key);
  }

  /** A deleted file is 404 at once, before its bytes are deleted. While the database is unavailable, files are served. */
  private async isPublic(key: string): Promise<boolean> {
    if (isProbeKey(key)) return true;
    try {
      return await this.records.isPublic(key);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unavailable') return true;
      throw error;
    }
  }
}

/** The routes of the disk storage. */
@Module({
  imports: [FilesModule, StorageModule],
  controllers: [SignedUploadsController, StoredFilesController],
  providers: [{ provide: DiskObjectStorage, useFactory: diskStorageOf, inject: [objectStorage] }],
})
export class DiskStorageApiModule {}

/** The public files of a bucket. Without it the bucket serves them itself. */
@Module({ imports: [FilesModule, StorageModule], controllers: [StoredFilesController] })
export class BucketFilesApiModule {}

function diskStorageOf(storage: ObjectStorage): DiskObjectStorage {
  if (storage instanceof DiskObjectStorage) return storage;
  throw new TypeError('only the disk store is served by the API');
}
