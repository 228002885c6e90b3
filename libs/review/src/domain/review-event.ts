import type { EventFacts, NewEvent } from '#events';
import type { Reviewer } from './reviewer.ts';

/** The event of a comment or a decision, which has the words of its author. */
export function reviewEvent(
  type: 'comment.created' | 'comment.updated' | 'decision.made',
  reviewer: Reviewer,
  boardId: number,
  facts: EventFacts,
  createdAt: Date,
): NewEvent {
  const userId = 'guest' in reviewer ? null : reviewer.userId;
  return { workspaceId: reviewer.workspaceId, type, subjectId: boardId, facts, userId, createdAt };
}
