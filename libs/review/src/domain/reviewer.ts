import { assertMay, may, type Actor } from '#identity';
import { DomainError } from '#kernel';

/** Somebody without an account, by the name that they gave. `id` is `null` for a guest who is no longer known. */
export interface ReviewGuest {
  readonly id: number | null;
  readonly name: string;
}

/** Author of comments and decisions: a member of the workspace, or a guest. */
export type Reviewer =
  | Pick<Actor, 'workspaceId' | 'userId' | 'role'>
  | { readonly workspaceId: number; readonly guest: ReviewGuest; readonly shareId: number };

/** Exactly one of both. */
export interface Authorship {
  /** User id. */
  readonly createdBy: number | null;
  readonly guest: ReviewGuest | null;
}

/** Details of a guest in the audit log: nothing that names a person. */
export function byGuest(reviewer: Reviewer): { readonly guest?: true } {
  return 'guest' in reviewer ? { guest: true } : {};
}

/** The author of what a reviewer writes. */
export function authorOf(reviewer: Reviewer): Authorship {
  return 'guest' in reviewer ? { createdBy: null, guest: reviewer.guest } : { createdBy: reviewer.userId, guest: null };
}

/**
 * Members change their own comments, and admins and the owner all; guests change their own.
 *
 * @throws DomainError `forbidden`
 */
export function assertMayChange(reviewer: Reviewer, comment: Authorship): void {
  if (!('guest' in reviewer))
    return assertMay('comment.change', reviewer, { createdBy: comment.createdBy ?? undefined });
  if (isBy(reviewer, comment)) return;
  throw new DomainError('forbidden', 'only the author may do this');
}

/**
 * Authors delete a comment until somebody else replies, as the replies go with it. Admins and the owner delete every thread.
 *
 * @param replies to the comment
 * @throws DomainError `forbidden`; `conflict` for replies of others
 */
export function assertMayDelete(reviewer: Reviewer, comment: Authorship, replies: readonly Authorship[]): void {
  assertMayChange(reviewer, comment);
  if (!('guest' in reviewer) && may('comment.change', reviewer)) return;
  if (replies.every((reply) => isBy(reviewer, reply))) return;
  throw new DomainError('conflict', 'others have replied to this comment: ask an admin to delete the thread');
}

/** A guest who is no longer known is nobody. */
function isBy(reviewer: Reviewer, { createdBy, guest }: Authorship): boolean {
  if (!('guest' in reviewer)) return createdBy === reviewer.userId;
  return reviewer.guest.id !== null && guest?.id === reviewer.guest.id;
}
