import { Controller, Get, Inject, Module, Put, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DiskObjectStorage } from '#adapters/storage';
import type { Settings } from '#config';
import {
  fileKeyOfPath,
  privateKey,
  privatePlaceOf,
  ServedFiles,
  stagingKey,
  StoredUrls,
  type FilePermission,
  type ObjectStorage,
} from '#files';
import { DomainError, notFound, type Clock } from '#kernel';
import { isInGrid, transformationOf, Variants } from '#transformation';
import {
  clock,
  FilesModule,
  objectPlaces,
  objectStorage,
  settings,
  StorageModule,
  TransformationModule,
} from '#wiring';
import { type ApiRequest, pathOf, Public, queryOf, Unlimited } from '../http/index.ts';
import { receiveObject } from './receive-object.ts';
import { servableStorage, serveObject, type ServableStorage } from './serve-object.ts';
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

type Reader = Extract<FilePermission, { of: 'reader' }>;

const FILES = '/files/';
/** A redirect to a bucket is followed anew after this time at the latest. */
const REDIRECT_SECONDS = 3_600;

/**
 * The files of workspaces and their variants: of public ones for anyone, of private ones for whoever has a signed URL. A
 * bucket may serve the files itself; only the API transforms them.
 */
@ApiExcludeController()
@Controller('files')
@Public()
@Unlimited()
export class StoredFilesController {
  constructor(
    @Inject(objectStorage) private readonly storage: ObjectStorage,
    @Inject(objectPlaces) private readonly places: ObjectStorage,
    @Inject(ServedFiles) private readonly files: ServedFiles,
    @Inject(StoredUrls) private readonly urls: StoredUrls,
    @Inject(clock) private readonly clock: Clock,
    private readonly variants: Variants,
    @Inject(settings) private readonly values: Settings,
  ) {}

  @Get(':token/:filename')
  async getFile(@Req() request: Request, @Res() response: Response): Promise<void> {
    // From the path as it was sent: routing decodes its parameters, and keys are made from the encoded path.
    const path = pathOf(request);
    const key = path.startsWith(FILES) ? fileKeyOfPath(path.slice(FILES.length)) : null;
    const permission = key && (await this.files.permissionOf(key, queryOf(request)));
    if (key === null || !permission) throw notFound('file');
    if (permission.of === 'reader') response.setHeader('X-Robots-Tag', 'noindex');
    const options = new URLSearchParams(queryOf(request));
    const wanted = transformationOf(options);
    if (wanted) {
      // A signed URL is a permission for its own options, and for those that anybody may add to it.
      const mayBeAdded = permission.of === 'anyone' || permission.optionsAreSigned || isInGrid(options);
      if (!mayBeAdded) throw notFound('file');
      const by = { storage: servableStorage(this.storage), variants: this.variants };
      const cacheControl = permission.of === 'reader' ? this.#cacheControlOf(permission) : undefined;
      return serveVariant(request, response, by, { key, wanted, cacheControl });
    }
    const { bucket, filesServedBy } = this.values.storage;
    if (bucket !== null && filesServedBy === 'bucket') return this.#redirect(response, key, permission);
    // Nothing but the place says who may read a file whose record can't be read.
    const isUnknown = permission.of === 'anyone' && !permission.isCertain;
    const storage = servableStorage(isUnknown ? this.places : this.storage);
    await serveObject(
      request,
      response,
      permission.of === 'anyone' ? storage : this.#private(storage, permission),
      key,
    );
  }

  #cacheControlOf({ until }: Reader): string {
    return until ? `private, max-age=${this.#secondsUntil(until)}, immutable` : 'no-store';
  }

  #private(storage: ServableStorage, permission: Reader): ServableStorage {
    const cacheControl = this.#cacheControlOf(permission);
    return {
      serve: async (key) => {
        const object = await storage.serve(key);
        if (!object) return null;
        const { expiresAt: _, ...headers } = object.headers;
        return { ...object, headers: { ...headers, cacheControl } };
      },
    };
  }

  /**
   * The bucket serves the bytes. Its own signed URLs could not end with a link or a key of the workspace: they are valid for
   * an hour at most, and one for all readers of that hour, so that caches know it.
   */
  async #redirect(response: Response, key: string, permission: FilePermission): Promise<void> {
    if (permission.of === 'anyone') return response.redirect(302, this.urls.plainUrlOf(key));
    const place = privatePlaceOf(key);
    const isMoved = (await this.places.head(place)) !== null;
    const seconds = permission.until ? Math.min(this.#secondsUntil(permission.until), REDIRECT_SECONDS) : 0;
    response.setHeader('Cache-Control', seconds > 0 ? `private, max-age=${seconds}` : 'no-store');
    const expiresAt = new Date(this.clock.now().getTime() + Math.max(seconds, 60) * 1000);
    const url = isMoved
      ? this.storage.signGet(place, expiresAt, `private, max-age=${seconds}`)
      : this.urls.plainUrlOf(key);
    response.redirect(302, await url);
  }

  #secondsUntil(end: Date): number {
    return Math.max(0, Math.floor((end.getTime() - this.clock.now().getTime()) / 1000));
  }
}

/** The routes of the disk storage. */
@Module({
  imports: [FilesModule, StorageModule, TransformationModule],
  controllers: [SignedUrlsController, StoredFilesController],
  providers: [{ provide: DiskObjectStorage, useFactory: diskStorageOf, inject: [objectStorage] }],
})
export class DiskStorageApiModule {}

/** The files of a bucket, and their variants. */
@Module({ imports: [FilesModule, StorageModule, TransformationModule], controllers: [StoredFilesController] })
export class BucketFilesApiModule {}

function diskStorageOf(storage: ObjectStorage): DiskObjectStorage {
  if (storage instanceof DiskObjectStorage) return storage;
  throw new TypeError('only the disk store is served by the API');
}
