import type { EventFacts, NewEvent } from '#events';
import type { Reviewer } from './reviewer.ts';

/** The event of a comment or a decision, which has the words of its author, and the link of a guest. */
export function reviewEvent(
  type: 'comment.created' | 'comment.updated' | 'decision.made',
  reviewer: Reviewer,
  boardId: number,
  facts: EventFacts,
  createdAt: Date,
): NewEvent {
  const event = { workspaceId: reviewer.workspaceId, type, subjectId: boardId, createdAt };
  return 'guest' in reviewer
    ? { ...event, facts: { ...facts, share_id: reviewer.shareId }, userId: null }
    : { ...event, facts, userId: reviewer.userId };
}
