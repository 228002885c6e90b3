import type { AuditLog } from '#audit-log';
import type { EventLog } from '#events';
import type { Actor } from '#identity';
import { notFound, type Clock, type UnitOfWork } from '#kernel';
import { assertNewest, assertOpenRequest, decisionOf, type Verdict } from './domain/decision.ts';
import type { ReviewedItem } from './domain/comment.ts';
import { reviewEvent } from './domain/review-event.ts';
import { authorOf, byGuest, type Reviewer } from './domain/reviewer.ts';
import type { OnBoard, ReviewStore } from './ports.ts';

/** Decisions about media items: every member and invited guests decide, and the latest decision counts. */
export class Decisions {
  constructor(
    private readonly store: Pick<ReviewStore, 'lockItem' | 'decide' | 'close'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly events: EventLog,
  ) {}

  /**
   * @returns the id
   * @throws DomainError `not_found`, `validation_failed`, `conflict` for a version that was replaced
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
      assertNewest(await this.#locked({ workspaceId, ...place }));
      const createdAt = this.clock.now();
      const id = await this.store.decide({ ...decision, ...authorOf(reviewer), mediaId, at: createdAt });
      const details = { decision: verdict, ...byGuest(reviewer) };
      await this.auditLog.record({ action: 'media.decide', target: mediaId, workspaceId, details });
      const facts = { media_id: mediaId, decision_id: id };
      await this.events.record(reviewEvent('decision.made', reviewer, place.boardId, facts, createdAt));
      return id;
    });
  }

  /**
   * Closes a request for changes that needs no newer version.
   *
   * @throws DomainError `not_found`, `conflict` when no request is open
   */
  close({ workspaceId }: Actor, place: Omit<OnBoard, 'workspaceId'>): Promise<void> {
    const { mediaId } = place;
    return this.unitOfWork.run(async () => {
      assertOpenRequest(await this.#locked({ workspaceId, ...place }));
      await this.store.close(mediaId);
      await this.auditLog.record({ action: 'media.close_request', target: mediaId, details: {} });
    });
  }

  async #locked(item: OnBoard): Promise<ReviewedItem> {
    const found = await this.store.lockItem(item, 'decision');
    if (!found) throw notFound('media');
    return found;
  }
}
