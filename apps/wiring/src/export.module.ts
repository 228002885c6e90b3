import { Database, PostgresExports, PostgresPersonalData } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { ZipArchives } from '#adapters/zip';
import { ExportRuns, Exports } from '#export';
import { Confirmations } from '#identity';
import { FilesModule } from './files.module.ts';
import { accountStore, IdentityModule } from './identity.module.ts';
import { auditLog, clock, jobs, postgres, settings, unitOfWork } from './platform.ts';
import { provide, provideMade, provideWith, SharedModule, token } from './provide.ts';
import { objectStorage } from './storage.module.ts';

const service = token<string>('PublicUrl');

/** Exports of a person's data. */
@SharedModule(
  [IdentityModule],
  provide(PostgresExports, Database),
  provideWith(Exports, { accounts: accountStore, auditLog, exports: PostgresExports, jobs, unitOfWork, clock }),
)
export class ExportModule {}

/** Makes their zips. Only the worker imports it. */
@SharedModule(
  [ExportModule, FilesModule],
  provideMade(PostgresPersonalData, [postgres], ({ pool }) => new PostgresPersonalData(pool)),
  provide(ZipArchives),
  provideMade(service, [settings], ({ http }) => http.publicUrl),
  provideWith(ExportRuns, {
    accounts: accountStore,
    archives: ZipArchives,
    confirmations: Confirmations,
    data: PostgresPersonalData,
    exports: PostgresExports,
    secrets: RandomTokenSecrets,
    storage: objectStorage,
    unitOfWork,
    clock,
    service,
  }),
)
export class ExportRunsModule {}
