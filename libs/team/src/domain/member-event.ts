import type { NewEvent } from '#events';
import type { Role } from '#kernel';

/** The event of a member who has joined, left, or has another role; in which role they are or were. */
export function memberEvent(
  what: 'joined' | 'left' | 'role_changed',
  workspaceId: number,
  userId: number,
  role: Role,
  createdAt: Date,
): NewEvent {
  return { workspaceId, type: `member.${what}`, subjectId: userId, facts: { role }, userId, createdAt };
}
