import { sql, type RawBuilder } from 'kysely';
import { isFull, quotaExceeded, type StorageQuotas, type StorageSpace, type StorageUse } from '#files';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';

/** The quota of the plan of `workspaces`; null for no quota. @param quotas JSON: bytes by plan */
const quotaIn = (quotas: RawBuilder<string>) => sql<number | null>`(${quotas}::jsonb ->> workspaces.plan)::bigint`;

/**
 * Part of a statement that adds a file: has a row where `size` more bytes fit into the quota of the workspace. It locks
 * the count of the workspace's bytes, which the trigger on `files` then raises, so that concurrent additions are exact.
 *
 * @param isFree whether the quota does not apply
 */
export function spaceFor(
  workspaceId: RawBuilder<number>,
  size: RawBuilder<number>,
  quotas: RawBuilder<string>,
  isFree: RawBuilder<boolean> = sql.lit(false),
): RawBuilder<{ bytes: number }> {
  return sql`(
    select bytes from (
      select storage_use.bytes, ${quotaIn(quotas)} as quota
      from storage_use join workspaces on workspaces.id = storage_use.workspace_id
      where storage_use.workspace_id = ${workspaceId}
      for no key update of storage_use
    ) space where quota is null or ${isFree} or bytes + ${size}::bigint <= quota)`;
}

export class PostgresStorageSpace implements StorageSpace {
  readonly #quotas: string;
  readonly #hasQuotas: boolean;

  constructor(
    private readonly database: Database,
    quotas: StorageQuotas,
  ) {
    this.#quotas = JSON.stringify(quotas);
    this.#hasQuotas = Object.keys(quotas).length > 0;
  }

  async of(workspaceId: number): Promise<StorageUse> {
    return (await this.database.one(readUse, { workspaceId, quotas: this.#quotas })) ?? { used: 0, quota: null };
  }

  async requireSome(workspaceId: number): Promise<void> {
    if (this.#hasQuotas && isFull(await this.of(workspaceId))) throw quotaExceeded();
  }
}

const readUse = prepared<{ workspaceId: number; quotas: string }>()((param) =>
  build
    .selectFrom('storage_use')
    .innerJoin('workspaces', 'workspaces.id', 'storage_use.workspace_id')
    .where('storage_use.workspace_id', '=', param('workspaceId'))
    .select(['storage_use.bytes as used', quotaIn(param('quotas')).as('quota')]),
);
