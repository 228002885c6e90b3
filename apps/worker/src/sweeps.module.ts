import { Logger, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Database, PostgresIdempotencyKeys, PostgresRetention } from '#adapters/postgres';
import { Outbox } from '#adapters/queue';
import { Exports } from '#export';
import { FileDeletion, PrivateFiles, StorageReconciliation } from '#files';
import { ModelWarnings } from '#catalogue';
import { SubmissionChecks } from '#generation';
import { LibraryFilling } from '#library';
import { MarkPictures } from '#sharing';
import { PictureLooks } from '#sources';
import { Deletions } from '#trash';
import {
  clock,
  DeletionsModule,
  ExportModule,
  GenerationRunsModule,
  LibraryFillingModule,
  SourcesModule,
  objectStorage,
  provide,
  provideFrom,
  provideMade,
  settings,
  FilesModule,
  SharingRunsModule,
} from '#wiring';
import { measureSweeps, measureSweptFiles } from './metrics.ts';
import { Sweeper, type Sweep } from './sweeps.ts';

/** How often jobs that are not in their queue are added to it. */
const OUTBOX_SECONDS = 10;
const CHECKS_SECONDS = 0.5;
/** How soon a new upload has thumbnails, and is found by its colours. */
const LIBRARY_SECONDS = 5;
const TIDY_SECONDS = 300;
const RETENTION_SECONDS = 600;
/** How often to check whether a new day has begun. */
const NIGHT_SECONDS = 900;

const logger = new Logger('Storage');

/** The sweeps of every worker. */
const sweeps = provideFrom(
  Sweeper,
  {
    registry: Registry,
    outbox: Outbox,
    files: FileDeletion,
    privateFiles: PrivateFiles,
    deletions: Deletions,
    reconciliation: StorageReconciliation,
    checks: SubmissionChecks,
    storage: objectStorage,
    keys: PostgresIdempotencyKeys,
    retention: PostgresRetention,
    exports: Exports,
    library: LibraryFilling,
    looks: PictureLooks,
    marking: MarkPictures,
    warnings: ModelWarnings,
    values: settings,
    time: clock,
  },
  ({ registry, checks, time, ...of }) => {
    const { http, uploads } = of.values;
    const measureFiles = measureSweptFiles(registry);
    const everySeconds = uploads.sweepIntervalSeconds;
    const sweepFiles = async (signal: AbortSignal) => {
      const report = await of.files.sweep(signal);
      measureFiles(report);
      return report.expired + report.deleted + report.uploads + report.abandoned;
    };
    const forgetKeys = (signal: AbortSignal) =>
      of.keys.forget(new Date(time.now().getTime() - http.idempotencyTtlSeconds * 1000), signal);
    const tidy = () => of.storage.tidy().then(() => 0);
    const all: Sweep[] = [
      { id: 'outbox', everySeconds: OUTBOX_SECONDS, run: () => of.outbox.sweep() },
      { id: 'files', everySeconds, run: sweepFiles },
      { id: 'file_moves', everySeconds, run: (signal) => of.privateFiles.sweep(signal) },
      { id: 'deletions', everySeconds: RETENTION_SECONDS, run: (signal) => of.deletions.sweep(signal) },
      { id: 'idempotency_keys', everySeconds, run: forgetKeys },
      { id: 'retention', everySeconds: RETENTION_SECONDS, run: (signal) => of.retention.forget(time.now(), signal) },
      { id: 'exports', everySeconds, run: (signal) => of.exports.sweep(signal) },
      { id: 'guest_pictures', everySeconds: RETENTION_SECONDS, run: () => of.marking.sweep() },
      { id: 'library', everySeconds: LIBRARY_SECONDS, isRoutine: true, run: (signal) => of.library.sweep(signal) },
      { id: 'pictures', everySeconds: LIBRARY_SECONDS, isRoutine: true, run: (signal) => of.looks.sweep(signal) },
      { id: 'abandoned_submissions', everySeconds, run: () => checks.expireAbandoned() },
      { id: 'model_warnings', everySeconds: NIGHT_SECONDS, isRoutine: true, run: () => of.warnings.sweep() },
      { id: 'storage_tidying', everySeconds: TIDY_SECONDS, run: tidy },
      { id: 'reconciliation', everySeconds: NIGHT_SECONDS, run: (signal) => reconcile(of.reconciliation, signal) },
    ];
    // Each provider has its own sweep, so that a provider that hangs delays no other.
    const ofProvider = (provider: string): Sweep => {
      const check = (signal: AbortSignal) => checks.check(provider, signal);
      return { id: `checks_${provider}`, everySeconds: CHECKS_SECONDS, isRoutine: true, run: check };
    };
    return new Sweeper(() => [...all, ...checks.providers.map(ofProvider)], measureSweeps(registry));
  },
);

async function reconcile(reconciliation: StorageReconciliation, signal: AbortSignal): Promise<number> {
  const result = await reconciliation.runNightly(signal);
  if (!result) return 0;
  const { strayObjects, lostFiles, examples } = result;
  if (strayObjects + lostFiles > 0) {
    logger.error({ strayObjects, lostFiles, examples }, 'storage and records differ: run `storage audit`');
  }
  return result.objects + result.files;
}

@Module({
  imports: [
    FilesModule,
    DeletionsModule,
    ExportModule,
    GenerationRunsModule,
    LibraryFillingModule,
    SharingRunsModule,
    SourcesModule,
  ],
  providers: [
    provide(PostgresIdempotencyKeys, Database),
    provideMade(
      PostgresRetention,
      [Database, settings],
      (database, { auditLog }) => new PostgresRetention(database, auditLog.days),
    ),
    sweeps,
  ],
})
export class SweepsModule {}
