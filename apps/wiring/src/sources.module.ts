import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { SafeHttp, SafeRemoteSources } from '#adapters/outgoing-http';
import { FfmpegVideos, PictureProcesses, SharpPictures } from '#adapters/images';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import type { Settings } from '#config';
import {
  ImportPicture,
  OpenPicture,
  PrepareMedia,
  type PictureDerivatives,
  type PictureLimits,
  type Pictures,
  type RemoteSources,
  type TemporaryFolders,
  type Videos,
} from '#sources';
import { AdoptFile, StoreFile } from '#files';
import { jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideAs, token } from './provide.ts';
import { objectStorage } from './storage.module.ts';
import { files, fileTypes, FilesModule } from './files.module.ts';

export const pictures = token<Pictures>('Pictures');
export const remoteSources = token<RemoteSources>('RemoteSources');
export const temporaryFolders = token<TemporaryFolders>('TemporaryFolders');
const pictureDerivatives = token<PictureDerivatives>('PictureDerivatives');
const pictureLimits = token<PictureLimits>('PictureLimits');
const videos = token<Videos>('Videos');

/** Strangers' URLs and pictures: for the worker alone. */
@Module({
  imports: [FilesModule],
  providers: [
    { provide: SafeHttp, useFactory: ({ fetch }: Settings) => new SafeHttp(fetch), inject: [settings] },
    { provide: pictureLimits, useFactory: pictureLimitsOf, inject: [settings] },
    { provide: temporaryFolders, useFactory: openTemporaryFolders, inject: [settings] },
    { provide: PictureProcesses, useFactory: () => new PictureProcesses() },
    provideAs(pictures, SharpPictures, PictureProcesses),
    provideAs(pictureDerivatives, SharpPictures, PictureProcesses),
    provideAs(videos, FfmpegVideos, PictureProcesses),
    provideAs(remoteSources, SafeRemoteSources, SafeHttp),
    provide(
      ImportPicture,
      AdoptFile,
      StoreFile,
      remoteSources,
      pictures,
      temporaryFolders,
      unitOfWork,
      pictureLimits,
    ),
    provide(OpenPicture, files, objectStorage, remoteSources, pictures, temporaryFolders, pictureLimits),
    provide(
      PrepareMedia,
      AdoptFile,
      StoreFile,
      objectStorage,
      fileTypes,
      remoteSources,
      pictureDerivatives,
      videos,
      temporaryFolders,
      jobs,
      unitOfWork,
      pictureLimits,
    ),
  ],
  exports: [SafeHttp, pictures, remoteSources, temporaryFolders, ImportPicture, OpenPicture, PrepareMedia],
})
export class SourcesModule {}

function pictureLimitsOf({ fetch }: Settings): PictureLimits {
  return { maxBytes: fetch.maxBytes };
}

function openTemporaryFolders({ data }: Settings): Promise<TemporaryFolders> {
  return DiskTemporaryFolders.open(join(data.folder, 'tmp'));
}
