import type { Deletion } from '#files';
import type { Email } from '#identity';
import type { Belonging, DoneErasure, Erasure, RequestedErasure } from './domain/erasure.ts';

/** Persons who are erased. Methods other than `find` must be called inside a unit of work. */
export interface ErasureStore {
  /**
   * Locks a workspace with its members and pending invitations until the surrounding unit of work ends, so that nobody joins
   * it; `null` when there is no such workspace.
   */
  lockTeam(workspaceId: number): Promise<{
    readonly isTeam: boolean;
    /** True if its erasure was requested before. */
    readonly isErased: boolean;
    readonly ownerId: number;
    readonly isOwnerService: boolean;
  } | null>;

  /** Takes everybody but the owner out of a locked workspace. No picture of a user is a file of it any more. */
  endMemberships(workspaceId: number, ownerId: number): Promise<void>;

  /**
   * Locks, until the surrounding unit of work ends, what changes together with a user: the invitations of the address,
   * and the user's roles and mailed tokens. Lock users after it.
   */
  lockSurroundings(userId: number, email: Email): Promise<void>;

  /** Locks a user and the user's workspaces, so that nobody joins one, nor the user another, and returns them. */
  lockBelongings(userId: number): Promise<readonly Belonging[]>;

  /**
   * Saves a requested erasure of a locked account with this address: from now on nobody can sign in to it, and its
   * address is free. Ends the user's roles in the left workspaces, tokens, sessions, identities, two-factor, mailed tokens,
   * sign-in links, the invitations of the address and those by the user, and deletes the jobs that name the person.
   */
  request(erasure: RequestedErasure, email: Email, leftIds: readonly number[]): Promise<void>;

  /** `null` for a user whose erasure was not requested. */
  find(userId: number): Promise<Erasure | null>;

  /**
   * Clears the IP address, and the names of tokens, from up to `limit` entries of the user in all audit logs.
   *
   * @returns the number of cleared entries
   */
  clearAuditLog(userId: number, limit: number): Promise<number>;

  /**
   * Saves the end of an erasure, and deletes what requests added while the erasure was requested.
   *
   * @returns false, without effect, while the user has a workspace
   */
  finish(erasure: DoneErasure): Promise<boolean>;
}

/** Workspaces that are erased. Methods other than reads must be called inside a unit of work. */
export interface ErasedWorkspaces {
  /**
   * Deletes up to `limit` boards and personas, and makes all entries of the trash expire.
   *
   * @returns false when no board or persona is left to delete
   */
  deleteItems(workspaceId: number, deletion: Deletion, limit: number): Promise<boolean>;

  /** Up to `limit` ids of entries of the trash above `after`, in order. */
  entriesAfter(workspaceId: number, after: number, limit: number): Promise<readonly number[]>;

  /**
   * Deletes up to `limit` ended generations with their entries in the ledger, but none that is still to be canceled at its
   * provider.
   *
   * @returns the number of deleted generations
   */
  deleteGenerations(workspaceId: number, limit: number): Promise<number>;

  /** Up to `limit` ids of files above `after`, in order. */
  filesAfter(workspaceId: number, after: number, limit: number): Promise<readonly number[]>;

  /** Ends the grace period of all deleted files: their bytes are due at `now`. */
  endGrace(workspaceId: number, now: Date): Promise<void>;

  /**
   * Clears IP addresses and names from up to `limit` entries of the audit log.
   *
   * @returns the number of cleared entries
   */
  clearAuditLog(workspaceId: number, limit: number): Promise<number>;

  /**
   * Deletes the workspace with its members, jobs and ledger. Waits for transactions that add something to it.
   *
   * @returns false, without effect, while it has files, bytes, uploads, generations, boards or personas
   */
  delete(workspaceId: number): Promise<boolean>;
}
