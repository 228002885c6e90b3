import { DomainError } from '#kernel';

/**
 * The operations that members of a suspended workspace may call, by operation id or by its first words, besides those by
 * GET: all of the own account, reads with a body, answers to invitations of other teams, and leaving.
 */
const FOR_SUSPENDED = [
  'auth',
  'downloads',
  'files.sign',
  'results',
  'team.invitations.read',
  'team.invitations.respond',
  'team.members.remove',
];

/** Operations by GET that change something. */
const CHANGING_READS = ['uploads.finalize'];

/** Reports whether an operation, by its id, changes the workspace in which its caller acts. */
export function changesWorkspace(operation: string, { isRead }: { readonly isRead: boolean }): boolean {
  if (isRead) return CHANGING_READS.includes(operation);
  return !FOR_SUSPENDED.some((each) => operation === each || operation.startsWith(`${each}.`));
}

/** @throws DomainError `workspace_suspended` */
export function assertActive(isSuspended: boolean): void {
  if (!isSuspended) return;
  throw new DomainError('workspace_suspended', 'this workspace is suspended and can only be read: ask the operator');
}
