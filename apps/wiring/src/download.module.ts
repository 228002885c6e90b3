import { join } from 'node:path';
import { C2paManifests } from '#adapters/c2pa';
import { LabelledPictures, PictureProcesses, SharpPictures } from '#adapters/images';
import { Database, PostgresDownloadedFiles, PostgresDownloads } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { DiskTemporaryFolders } from '#adapters/temporary-folders';
import { ZipArchives } from '#adapters/zip';
import { Downloads, Zips } from '#download';
import { Gate } from '#identity';
import { copySigner } from '#sources';
import { IdentityModule } from './identity.module.ts';
import { auditLog, clock, labelText, settings, unitOfWork } from './platform.ts';
import { ProvenanceModule } from './provenance.module.ts';
import { provide, provideMade, provideWith, SharedModule } from './provide.ts';
import { objectStorage, StorageModule } from './storage.module.ts';

/** Zips of files. */
@SharedModule(
  [IdentityModule, ProvenanceModule, StorageModule],
  provide(PostgresDownloads, Database),
  provide(PostgresDownloadedFiles, Database),
  provide(ZipArchives),
  // Their own process: no download waits for jobs, and no job for downloads.
  provideMade(LabelledPictures, [settings, C2paManifests], ({ data }, manifests) => {
    const pictures = new SharpPictures(new PictureProcesses({ atOnce: 1 }));
    const folders = new DiskTemporaryFolders(join(data.folder, 'tmp', 'downloads'));
    return new LabelledPictures(pictures, copySigner(pictures, manifests), folders);
  }),
  provide(Zips, objectStorage, ZipArchives, LabelledPictures, clock),
  provideWith(Downloads, {
    downloads: PostgresDownloads,
    files: PostgresDownloadedFiles,
    zips: Zips,
    secrets: RandomTokenSecrets,
    gate: Gate,
    auditLog,
    label: labelText,
    unitOfWork,
    clock,
  }),
)
export class DownloadModule {}
