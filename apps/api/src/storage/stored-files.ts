import { Controller, Get, Inject, Module, Put, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DiskObjectStorage } from '#adapters/storage';
import type { Settings } from '#config';
import { fileKeyOfPath, isProbeKey, privateKey, stagingKey, type FileRecords, type ObjectStorage } from '#files';
import { DomainError, notFound } from '#kernel';
import { transformationOf, Variants } from '#transformation';
import { fileRecords, FilesModule, objectStorage, settings, StorageModule, TransformationModule } from '#wiring';
import { type ApiRequest, pathOf, Public, queryOf, Unlimited } from '../http/index.ts';
import { receiveObject } from './receive-object.ts';
import { servableStorage, serveObject } from './serve-object.ts';
import { serveVariant } from './serve-variant.ts';

/** The signed URLs of the disk storage: the signature is the only permission. */
@ApiExcludeController()
@Controller('storage')
@Public()
@Unlimited()
export class SignedUrlsController {
  constructor(@Inject(DiskObjectStorage) private readonly storage: DiskObjectStorage) {}

  @Put('staging/:name')
  async putObject(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    request.isUpload = true;
    const [, name, query = ''] = /^\/storage\/staging\/([\w.-]+)(?:\?(.*))?$/.exec(request.originalUrl) ?? [];
    if (name === undefined) throw notFound('upload');
    await receiveObject(request, response, this.storage, { key: stagingKey(name), query });
  }

  /** Vendors read the weights of trained styles. */
  @Get('weights/:token/:filename')
  async getObject(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const [, token, filename, query = ''] =
      /^\/storage\/weights\/([\w-]+)\/([\w.-]+)(?:\?(.*))?$/.exec(request.originalUrl) ?? [];
    if (token === undefined || filename === undefined) throw notFound('file');
    const key = privateKey(token, filename);
    if (!this.storage.mayRead(key, query)) {
      throw new DomainError('forbidden', 'the URL is not signed, or it has expired');
    }
    await serveObject(request, response, this.storage, key);
  }
}

const FILES = '/files/';

/** The public files, and their variants: the bucket has the files, too, and only the API transforms them. */
@ApiExcludeController()
@Controller('files')
@Public()
@Unlimited()
export class StoredFilesController {
  constructor(
    @Inject(objectStorage) private readonly storage: ObjectStorage,
    @Inject(fileRecords) private readonly records: Pick<FileRecords, 'isPublic'>,
    private readonly variants: Variants,
    @Inject(settings) private readonly values: Settings,
  ) {}

  @Get(':token/:filename')
  async getFile(@Req() request: Request, @Res() response: Response): Promise<void> {
    // From the path as it was sent: routing decodes its parameters, and keys are made from the encoded path.
    const path = pathOf(request);
    const key = path.startsWith(FILES) ? fileKeyOfPath(path.slice(FILES.length)) : null;
    if (key === null || !(await this.#isPublic(key))) throw notFound('file');
    const storage = servableStorage(this.storage);
    const wanted = transformationOf(new URLSearchParams(queryOf(request)));
    if (wanted) return serveVariant(request, response, { storage, variants: this.variants }, key, wanted);
    const { bucket, filesServedBy } = this.values.storage;
    if (bucket !== null && filesServedBy === 'bucket') throw notFound('file');
    await serveObject(request, response, storage, key);
  }

  /** A deleted file is 404 at once, before its bytes are deleted. While the database is unavailable, files are served. */
  async #isPublic(key: string): Promise<boolean> {
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
  imports: [FilesModule, StorageModule, TransformationModule],
  controllers: [SignedUrlsController, StoredFilesController],
  providers: [{ provide: DiskObjectStorage, useFactory: diskStorageOf, inject: [objectStorage] }],
})
export class DiskStorageApiModule {}

/** The public files of a bucket: only their variants where the bucket serves them itself. */
@Module({ imports: [FilesModule, StorageModule, TransformationModule], controllers: [StoredFilesController] })
export class BucketFilesApiModule {}

function diskStorageOf(storage: ObjectStorage): DiskObjectStorage {
  if (storage instanceof DiskObjectStorage) return storage;
  throw new TypeError('only the disk store is served by the API');
}
