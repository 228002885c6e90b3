import type { Page, PageRequest } from '#kernel';
import type { AuditAction, AuditTargetType } from './domain/actions.ts';
import type { AuditActorType, AuditEntry, AuditOrigin, AuditVia, NewAuditEntry } from './domain/entry.ts';

/** The audit log of workspaces: who did what, for their admins. (The library `audit` checks the database.) */
export interface AuditLog {
  /**
   * Records an entry in the surrounding unit of work: neither is committed without the other. The actor and the origin
   * are those of the running request, or an operator on the command line, or the service itself.
   *
   * @throws Error outside of a unit of work
   */
  record(entry: NewAuditEntry): Promise<void>;

  /** Where the running request comes from, for a job that records an entry later. */
  origin(): AuditOrigin;
}

/** An entry as it is stored. */
export interface StoredAuditEntry extends AuditOrigin {
  readonly at: Date;
  readonly actor: AuditActorType;
  /** The user who acts; null for others. */
  readonly userId: number | null;
  /** For a token, as its kind says. */
  readonly via: AuditVia | { readonly tokenId: number } | null;
  /** Name of the machine token; null for others. */
  readonly viaName: string | null;
  readonly action: AuditAction;
  readonly target: number;
  readonly details: NewAuditEntry['details'];
  /** A workspace, or the one in which a user acts; `null` for what concerns the whole service. */
  readonly workspace: number | { readonly ofUser: number } | null;
}

/** Absent properties do not restrict. */
export interface AuditFilter {
  /** User id, or everything done by operators or by the service. */
  readonly actor?: number | 'operator' | 'system' | undefined;
  readonly action?: AuditAction | undefined;
  readonly target?: { readonly type: AuditTargetType; readonly id: number } | undefined;
  /** Entries from this time on. */
  readonly after?: Date | undefined;
  /** Entries before this time. */
  readonly before?: Date | undefined;
}

export interface AuditEntries {
  /** Adds an entry in the surrounding unit of work, with the name of its target. @throws Error outside of one */
  add(entry: StoredAuditEntry): Promise<void>;

  /** The entries of a workspace, or what operators have done anywhere and what concerns no workspace, newest first. The time of a page does not depend on their number. */
  page(workspaceId: number | null, filter: AuditFilter, page: PageRequest): Promise<Page<AuditEntry>>;
}
