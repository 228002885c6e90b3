import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { FfmpegVideos, PictureProcesses, SharpPictures } from '#adapters/images';
import { SafeHttp, SafeRemoteSources } from '#adapters/outgoing-http';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import type { PictureDerivatives, Videos } from '#board';
import type { Settings } from '#config';
import { Files, StoredUrls } from '#files';
import { Sources, type Pictures, type RemoteSources, type TemporaryFolders } from '#sources';
import { fileRecords, FilesModule } from './files.module.ts';
import { settings, unitOfWork } from './platform.ts';
import { provideAs, provideWith, token } from './provide.ts';
import { objectStorage, StorageModule } from './storage.module.ts';

export const pictures = token<Pictures>('Pictures');
export const pictureDerivatives = token<PictureDerivatives>('PictureDerivatives');
export const remoteSources = token<RemoteSources>('RemoteSources');
export const temporaryFolders = token<TemporaryFolders>('TemporaryFolders');
export const videos = token<Videos>('Videos');
const maxBytes = token<number>('MaxMediaBytes');

/** Untrusted URLs and pictures: for the worker alone. */
@Module({
  imports: [FilesModule, StorageModule],
  providers: [
    { provide: SafeHttp, useFactory: ({ fetch }: Settings) => new SafeHttp(fetch), inject: [settings] },
    { provide: maxBytes, useFactory: ({ fetch }: Settings) => fetch.maxBytes, inject: [settings] },
    { provide: temporaryFolders, useFactory: openTemporaryFolders, inject: [settings] },
    { provide: PictureProcesses, useFactory: () => new PictureProcesses() },
    provideAs(pictures, SharpPictures, PictureProcesses),
    provideAs(pictureDerivatives, SharpPictures, PictureProcesses),
    provideAs(videos, FfmpegVideos, PictureProcesses),
    provideAs(remoteSources, SafeRemoteSources, SafeHttp),
    provideWith(Sources, {
      files: Files,
      records: fileRecords,
      storage: objectStorage,
      urls: StoredUrls,
      remote: remoteSources,
      pictures,
      folders: temporaryFolders,
      unitOfWork,
      maxBytes,
    }),
  ],
  exports: [SafeHttp, pictures, pictureDerivatives, remoteSources, temporaryFolders, videos, Sources],
})
export class SourcesModule {}

function openTemporaryFolders({ data }: Settings): Promise<TemporaryFolders> {
  return DiskTemporaryFolders.open(join(data.folder, 'tmp'));
}
