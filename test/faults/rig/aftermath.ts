import { connectPostgres, PostgresAudit } from '#adapters/postgres';
import type { AuditFinding } from '#audit';
import type { Clock } from '#kernel';
import { ManualClock } from '#testing/kernel';
import { FileDeletion, StorageReconciliation, type ObjectStorage, type Reconciliation } from '#files';
import { sqlOn } from '../../support/database.ts';
import { Product } from '../../support/product.ts';

export interface Aftermath {
  readonly findings: readonly AuditFinding[];
  readonly storage: Reconciliation;
  /** Jobs that are left. */
  readonly jobs: number;
  /** Temporary files that are left. */
  readonly temporary: number;
  readonly permanent: number;
}

export interface AuditedStage {
  readonly databaseUrl: string;
  /** The service's storage, at another time. */
  storageAt(clock: Clock): ObjectStorage;
}

/**
 * Findings of both audits, now and after the sweep of the day after tomorrow: then every temporary file, every
 * unfinished upload and everything that was broken off has to be gone, and nothing else.
 */
export async function aftermath(stage: AuditedStage): Promise<Aftermath> {
  const connection = await connectPostgres(stage.databaseUrl, { poolSize: 2 });
  try {
    const { database } = connection;
    const audit = new PostgresAudit(database);
    const early = await audit.findings();
    const clock = new ManualClock(new Date(Date.now() + 2 * 86_400_000));
    const product = new Product(connection, { clock, storage: stage.storageAt(clock) });
    await product.get(FileDeletion).sweep();
    const counts = await sqlOn(database).one<Pick<Aftermath, 'jobs' | 'temporary' | 'permanent'>>(
      `select (select count(*) from jobs) as jobs,
         count(*) filter (where expires_at is not null) as temporary,
         count(*) filter (where expires_at is null) as permanent
       from files`,
    );
    return {
      findings: [...early, ...(await audit.findings())],
      storage: await product.get(StorageReconciliation).run({ fix: false }),
      ...counts!,
    };
  } finally {
    await connection.close();
  }
}
