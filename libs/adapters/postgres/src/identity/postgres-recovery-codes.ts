import type { RecoveryCodeHash, RecoveryCodeStore } from '#identity';
import type { Database } from '../database.ts';
import { RecoveryCodeRow } from '../schema.ts';

export class PostgresRecoveryCodes implements RecoveryCodeStore {
  constructor(private readonly database: Database) {}

  async replace(userId: number, hashes: readonly RecoveryCodeHash[]): Promise<void> {
    const { em } = this.database;
    await em.nativeDelete(RecoveryCodeRow, { userId });
    await em.insertMany(
      RecoveryCodeRow,
      hashes.map((hash) => ({ userId, hash: Buffer.from(hash, 'hex') })),
    );
  }

  /** A recovery code works once: its first use deletes it. */
  async use(userId: number, hash: RecoveryCodeHash): Promise<boolean> {
    const code = { userId, hash: Buffer.from(hash, 'hex') };
    return (await this.database.em.nativeDelete(RecoveryCodeRow, code)) === 1;
  }
}
