import { Logger, Module } from '@nestjs/common';
import { Database, PostgresIdempotencyKeys } from '#adapters/postgres';
import { Outbox } from '#adapters/queue';
import type { Settings } from '#config';
import type { Clock } from '#kernel';
import { ReconcileStorage, SweepFiles, type ObjectStorage } from '#upload';
import { clock, objectStorage, provide, settings, UploadModule } from '#wiring';
import { Sweeper, type Sweep } from './sweeps.ts';

/** How often jobs are looked for that the queue was not told of, or has lost. */
const OUTBOX_SECONDS = 10;
const TIDY_SECONDS = 600;
/** How often it is looked whether a new day has begun. */
const NIGHT_SECONDS = 900;

/** What every worker looks after now and then. */
@Module({
  imports: [UploadModule],
  providers: [
    provide(PostgresIdempotencyKeys, Database),
    {
      provide: Sweeper,
      useFactory: (...args: Parameters<typeof sweepsOf>) => new Sweeper(sweepsOf(...args)),
      inject: [Outbox, SweepFiles, ReconcileStorage, objectStorage, PostgresIdempotencyKeys, settings, clock],
    },
  ],
})
export class SweepsModule {}

const logger = new Logger('Storage');

function sweepsOf(
  outbox: Outbox,
  sweepFiles: SweepFiles,
  reconcileStorage: ReconcileStorage,
  storage: ObjectStorage,
  keys: PostgresIdempotencyKeys,
  { http, uploads }: Settings,
  time: Clock,
): Sweep[] {
  const everySeconds = uploads.sweepIntervalSeconds;
  return [
    { name: 'jobs handed over', everySeconds: OUTBOX_SECONDS, run: () => outbox.sweep() },
    {
      name: 'files and uploads cleaned up',
      everySeconds,
      run: async (signal) => {
        const { expired, deleted, uploads, abandoned } = await sweepFiles.run(signal);
        return expired + deleted + uploads + abandoned;
      },
    },
    {
      name: 'idempotency keys forgotten',
      everySeconds,
      run: () => keys.forget(new Date(time.now().getTime() - http.idempotencyTtlSeconds * 1000)),
    },
    {
      name: 'storage tidied',
      everySeconds: TIDY_SECONDS,
      run: async () => {
        await storage.tidy();
        return 0;
      },
    },
    {
      name: 'objects and files compared',
      everySeconds: NIGHT_SECONDS,
      run: async (signal) => {
        const result = await reconcileStorage.runNightly(signal);
        if (!result) return 0;
        const { strayObjects, lostFiles, examples } = result;
        if (strayObjects + lostFiles > 0) {
          logger.error(
            { strayObjects, lostFiles, examples },
            'storage and records differ: see `storage audit`',
          );
        }
        return result.objects + result.files;
      },
    },
  ];
}
