import { DomainError } from '#kernel';

/** The bytes of a workspace's files, including temporary files, excluding the trash. */
export interface StorageUse {
  readonly used: number;
  /** The plan's quota in bytes; `null` without a quota. */
  readonly quota: number | null;
}

/** Quota in bytes by plan. A plan that is not listed has no quota. */
export type StorageQuotas = Readonly<Record<string, number>>;

/** A workspace that uses exactly its quota is full. */
export function isFull({ used, quota }: StorageUse): boolean {
  return quota !== null && used >= quota;
}

export function quotaExceeded(): DomainError {
  return new DomainError(
    'quota_exceeded',
    'the storage of the workspace is full: delete files that are not needed, or ask for a larger plan',
  );
}
