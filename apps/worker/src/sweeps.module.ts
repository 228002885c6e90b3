import { Logger, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Database, PostgresIdempotencyKeys, PostgresRetention } from '#adapters/postgres';
import { Outbox } from '#adapters/queue';
import type { Settings } from '#config';
import type { Clock } from '#kernel';
import { FileSweep, StorageReconciliation, type ObjectStorage, type SweepReport } from '#files';
import { clock, objectStorage, provide, settings, FilesModule } from '#wiring';
import { measureSweeps, measureSweptFiles } from './metrics.ts';
import { Sweeper, type Sweep } from './sweeps.ts';

/** How often jobs that are not in their queue are added to it. */
const OUTBOX_SECONDS = 10;
const TIDY_SECONDS = 600;
/** How often to check whether a new day has begun. */
const NIGHT_SECONDS = 900;

/** The sweeps of every worker. */
@Module({
  imports: [FilesModule],
  providers: [
    provide(PostgresIdempotencyKeys, Database),
    provide(PostgresRetention, Database),
    {
      provide: Sweeper,
      useFactory: (registry: Registry, ...rest: Tail<Parameters<typeof sweepsOf>>) =>
        new Sweeper(sweepsOf(measureSweptFiles(registry), ...rest), measureSweeps(registry)),
      inject: [
        Registry,
        Outbox,
        FileSweep,
        StorageReconciliation,
        objectStorage,
        PostgresIdempotencyKeys,
        PostgresRetention,
        settings,
        clock,
      ],
    },
  ],
})
export class SweepsModule {}

const logger = new Logger('Storage');

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

function sweepsOf(
  measure: (report: SweepReport) => void,
  outbox: Outbox,
  sweepFiles: FileSweep,
  reconcileStorage: StorageReconciliation,
  storage: ObjectStorage,
  keys: PostgresIdempotencyKeys,
  retention: PostgresRetention,
  { http, uploads }: Settings,
  time: Clock,
): Sweep[] {
  const everySeconds = uploads.sweepIntervalSeconds;
  return [
    { id: 'outbox', name: 'jobs added to queues again', everySeconds: OUTBOX_SECONDS, run: () => outbox.sweep() },
    {
      id: 'files',
      name: 'files and uploads cleaned up',
      everySeconds,
      run: async (signal) => {
        const report = await sweepFiles.run(signal);
        measure(report);
        const { expired, deleted, uploads, abandoned } = report;
        return expired + deleted + uploads + abandoned;
      },
    },
    {
      id: 'idempotency_keys',
      name: 'idempotency keys deleted',
      everySeconds,
      run: (signal) => keys.forget(new Date(time.now().getTime() - http.idempotencyTtlSeconds * 1000), signal),
    },
    {
      id: 'retention',
      name: 'expired tokens and invitations deleted',
      everySeconds: TIDY_SECONDS,
      run: (signal) => retention.forget(time.now(), signal),
    },
    {
      id: 'storage_tidying',
      name: 'storage cleaned up',
      everySeconds: TIDY_SECONDS,
      run: async () => {
        await storage.tidy();
        return 0;
      },
    },
    {
      id: 'reconciliation',
      name: 'objects and files reconciled',
      everySeconds: NIGHT_SECONDS,
      run: async (signal) => {
        const result = await reconcileStorage.runNightly(signal);
        if (!result) return 0;
        const { strayObjects, lostFiles, examples } = result;
        if (strayObjects + lostFiles > 0) {
          logger.error({ strayObjects, lostFiles, examples }, 'storage and records differ: run `storage audit`');
        }
        return result.objects + result.files;
      },
    },
  ];
}
