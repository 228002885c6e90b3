import { join } from 'node:path';
import { C2paManifests } from '#adapters/c2pa';
import { FfmpegVideos, PictureProcesses, SharpPictures } from '#adapters/images';
import { SafeHttp, SafeRemoteSources } from '#adapters/outgoing-http';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import { Files, ServedFiles, StoredUrls } from '#files';
import { copySigner, DerivedFiles, PictureLooks, Sources, type SignCopy, type TemporaryFolders } from '#sources';
import { fileRecords, FilesModule } from './files.module.ts';
import { clock, jobs, settings, unitOfWork } from './platform.ts';
import { provide, provideMade, provideWith, SharedModule, token } from './provide.ts';
import { ProvenanceModule } from './provenance.module.ts';
import { objectStorage } from './storage.module.ts';

export const temporaryFolders = token<TemporaryFolders>('TemporaryFolders');
/** Signs copies of files, where the operator signs outputs. */
export const signCopy = token<SignCopy>('SignCopy');
export const maxBytes = token<number>('MaxMediaBytes');

/** Untrusted URLs and pictures. Only the worker imports it. */
@SharedModule(
  [FilesModule, ProvenanceModule],
  provideMade(SafeHttp, [settings], ({ fetch }) => new SafeHttp(fetch)),
  provideMade(maxBytes, [settings], ({ fetch }) => fetch.maxBytes),
  provideMade(temporaryFolders, [settings], ({ data }) => DiskTemporaryFolders.open(join(data.folder, 'tmp'))),
  provideMade(PictureProcesses, [], () => new PictureProcesses()),
  provide(SharpPictures, PictureProcesses),
  provide(FfmpegVideos, PictureProcesses),
  provide(SafeRemoteSources, SafeHttp),
  provideWith(Sources, {
    files: Files,
    records: fileRecords,
    served: ServedFiles,
    storage: objectStorage,
    urls: StoredUrls,
    remote: SafeRemoteSources,
    pictures: SharpPictures,
    folders: temporaryFolders,
    unitOfWork,
    maxBytes,
  }),
  provideMade(signCopy, [SharpPictures, C2paManifests], copySigner),
  provideWith(DerivedFiles, {
    files: Files,
    derivatives: SharpPictures,
    videos: FfmpegVideos,
    manifests: C2paManifests,
    jobs,
    unitOfWork,
  }),
  provideWith(PictureLooks, {
    records: fileRecords,
    storage: objectStorage,
    derived: DerivedFiles,
    folders: temporaryFolders,
    clock,
    maxBytes,
  }),
)
export class SourcesModule {}
