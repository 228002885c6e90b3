import type { NewEvent } from '#events';
import type { Share } from './share.ts';

/** Numbers of a review by the guests of a link. */
export interface ReviewCounts {
  /** Items that the link shows, by their latest decision. */
  readonly approved: number;
  readonly changesRequested: number;
  readonly undecided: number;
  /** Comments of the guest. */
  readonly comments: number;
}

/** The summary of a review. The same summary of the same guest is recorded once. */
export function summaryEvent(
  share: Pick<Share, 'id' | 'workspaceId'>,
  guest: { readonly id: number; readonly name: string },
  { approved, changesRequested, undecided, comments }: ReviewCounts,
  createdAt: Date,
): NewEvent {
  const counts = { approved, changes_requested: changesRequested, undecided, comments };
  return {
    workspaceId: share.workspaceId,
    type: 'review.summary',
    subjectId: share.id,
    facts: { guest: guest.name, ...counts },
    key: ['review.summary', share.id, guest.id, ...Object.values(counts)].join(':'),
    createdAt,
  };
}
