import { Gauge, type Registry, type RegistryContentType } from 'prom-client';
import type { PostgresConnection } from '#adapters/postgres';
import { freeBytesIn } from '#adapters/storage';
import type { Settings } from '#config';

/** Measures what a process has of the database and of the disk. */
export function measureProcess(
  { pool }: Pick<PostgresConnection, 'pool'>,
  { data }: Pick<Settings, 'data'>,
  registry: Registry<RegistryContentType>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'x12_database_connections',
    help: 'Connections of the pool of DATABASE_POOL_SIZE that are used or idle, and callers that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  new Gauge({
    name: 'x12_disk_free_bytes',
    help: 'Bytes that can still be written below DATA_DIR: to the disk store, or to temporary files.',
    registers,
    async collect() {
      this.reset();
      const free = await freeBytesIn(data.folder).catch(() => null);
      if (free !== null) this.set(free);
    },
  });
}
