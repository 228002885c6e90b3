import type { AuditLog } from '#audit-log';
import type { EventLog } from '#events';
import { notFound, type Clock, type UnitOfWork } from '#kernel';
import { decisionOf, type Verdict } from './domain/decision.ts';
import { reviewEvent } from './domain/review-event.ts';
import { authorOf, byGuest, type Reviewer } from './domain/reviewer.ts';
import type { OnBoard, ReviewStore } from './ports.ts';

/** Decisions about media items: every member and invited guests decide, and the latest decision counts. */
export class Decisions {
  constructor(
    private readonly store: Pick<ReviewStore, 'lockItem' | 'decide'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly events: EventLog,
  ) {}

  /**
   * @returns the id
   * @throws DomainError `not_found`, `validation_failed`
   */
  decide(
    reviewer: Reviewer,
    place: Omit<OnBoard, 'workspaceId'>,
    verdict: Verdict,
    text: string | null,
  ): Promise<number> {
    const decision = decisionOf(verdict, text);
    const { mediaId } = place;
    const { workspaceId } = reviewer;
    return this.unitOfWork.run(async () => {
      if (!(await this.store.lockItem({ workspaceId, ...place }, 'decision'))) throw notFound('media');
      const createdAt = this.clock.now();
      const id = await this.store.decide({ ...decision, ...authorOf(reviewer), mediaId, at: createdAt });
      const details = { decision: verdict, ...byGuest(reviewer) };
      await this.auditLog.record({ action: 'media.decide', target: mediaId, workspaceId, details });
      const facts = { media_id: mediaId, decision_id: id };
      await this.events.record(reviewEvent('decision.made', reviewer, place.boardId, facts, createdAt));
      return id;
    });
  }
}
