import { DomainError } from '#kernel';

/** The bytes of a workspace's files, temporary ones included; not of what is in the trash. */
export interface StorageUse {
  readonly used: number;
  /** That its plan allows; `null` for any number. */
  readonly quota: number | null;
}

/** Bytes by plan. A plan without a quota may use any number. */
export type StorageQuotas = Readonly<Record<string, number>>;

/** Whether nothing may be added: a workspace whose quota is used up exactly is full. */
export function isFull({ used, quota }: StorageUse): boolean {
  return quota !== null && used >= quota;
}

export function quotaExceeded(): DomainError {
  return new DomainError(
    'quota_exceeded',
    'the storage of the workspace is full: delete files that are not needed, or ask for a larger plan',
  );
}
