import { Database, PostgresDownloadedFiles, PostgresDownloads } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { ZipArchives } from '#adapters/zip';
import { Downloads, Zips } from '#download';
import { Gate } from '#identity';
import { IdentityModule } from './identity.module.ts';
import { auditLog, clock, unitOfWork } from './platform.ts';
import { provide, provideWith, SharedModule } from './provide.ts';
import { objectStorage, StorageModule } from './storage.module.ts';

/** Zips of files. */
@SharedModule(
  [IdentityModule, StorageModule],
  provide(PostgresDownloads, Database),
  provide(PostgresDownloadedFiles, Database),
  provide(ZipArchives),
  provide(Zips, objectStorage, ZipArchives, clock),
  provideWith(Downloads, {
    downloads: PostgresDownloads,
    files: PostgresDownloadedFiles,
    zips: Zips,
    secrets: RandomTokenSecrets,
    gate: Gate,
    auditLog,
    unitOfWork,
    clock,
  }),
)
export class DownloadModule {}
