import type { AuditLog } from '#audit-log';
import type { EventLog } from '#events';
import { DomainError, notFound, type Clock, type UnitOfWork } from '#kernel';
import { checkRoom, commentTextOf, pinOf, threadOf, type Comment, type ReviewedItem } from './domain/comment.ts';
import { drawingOf } from './domain/drawing.ts';
import { mentionsIn } from './domain/mentions.ts';
import { assertMayChange, assertMayDelete, authorOf, byGuest, type Reviewer } from './domain/reviewer.ts';
import { reviewEvent } from './domain/review-event.ts';
import type { OnBoard, ReviewStore } from './ports.ts';

type Place = Omit<OnBoard, 'workspaceId'>;
type Member = Exclude<Reviewer, { readonly guest: unknown }>;

export interface CommentRequest {
  readonly text: string;
  readonly x: number | null;
  readonly y: number | null;
  /** Seconds. */
  readonly time: number | null;
  readonly parentId: number | null;
  /** Strokes, as they were sent. */
  readonly drawing?: readonly object[] | null;
}

/** Comments on media items. Every member and invited guests write them; authors, admins and the owner change them. */
export class Comments {
  constructor(
    private readonly store: ReviewStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly events: EventLog,
  ) {}

  /**
   * @returns the id
   * @throws DomainError `not_found` (item or parent), `validation_failed`, `conflict` (too many)
   */
  add(reviewer: Reviewer, place: Place, request: CommentRequest): Promise<number> {
    const text = commentTextOf(request.text);
    const drawing = drawingOf(request.drawing ?? null);
    return this.#onItem(reviewer, place, async (item) => {
      checkRoom(item);
      const pin = pinOf(request, item);
      const parent = request.parentId === null ? null : await this.#existing(place, request.parentId);
      const mentions = await this.#mentions(reviewer, text);
      const id = await this.store.add({
        mediaId: place.mediaId,
        parentId: parent && threadOf(parent, pin),
        ...authorOf(reviewer),
        text,
        pin,
        drawing,
        mentions,
        createdAt: this.clock.now(),
      });
      await this.#record('comment.created', reviewer, place, id);
      return id;
    });
  }

  /** @throws DomainError `not_found`, `forbidden`, `validation_failed` */
  update(reviewer: Reviewer, place: Place, id: number, newText: string): Promise<void> {
    const text = commentTextOf(newText);
    return this.#onItem(reviewer, place, async () => {
      assertMayChange(reviewer, await this.#existing(place, id));
      const mentions = await this.#mentions(reviewer, text);
      await this.store.edit({ id, text, mentions, editedAt: this.clock.now() });
      await this.#record('comment.updated', reviewer, place, id);
    });
  }

  /** @throws DomainError `not_found`, `forbidden` */
  async assertMayChange(reviewer: Reviewer, place: Place, id: number): Promise<void> {
    assertMayChange(reviewer, await this.#existing(place, id));
  }

  /**
   * Deletes a comment for good; the first one of a thread with its replies.
   *
   * @throws DomainError `not_found`, `forbidden`; `conflict` for replies of others
   */
  delete(reviewer: Reviewer, place: Place, id: number): Promise<void> {
    return this.#onItem(reviewer, place, async () => {
      const comment = await this.#existing(place, id);
      assertMayDelete(reviewer, comment, await this.store.replies(id));
      const details = { item: place.mediaId, ...byGuest(reviewer) };
      const { workspaceId } = reviewer;
      await this.auditLog.record({ action: 'comment.delete', target: id, workspaceId, details });
      await this.store.remove(comment);
    });
  }

  /**
   * Resolves a thread, or opens it again. Every member of the workspace may do both.
   *
   * @throws DomainError `not_found`; `conflict` for a reply
   */
  resolve(caller: Member, place: Place, id: number, isResolved: boolean): Promise<void> {
    return this.#onItem(caller, place, async () => {
      const { parentId } = await this.#existing(place, id);
      if (parentId !== null)
        throw new DomainError('conflict', `a reply is resolved with its thread: resolve ${parentId}`);
      await this.store.resolve(id, isResolved ? caller.userId : null, this.clock.now());
    });
  }

  #record(
    type: 'comment.created' | 'comment.updated',
    reviewer: Reviewer,
    { boardId, mediaId }: Place,
    commentId: number,
  ): Promise<void> {
    const facts = { media_id: mediaId, comment_id: commentId };
    return this.events.record(reviewEvent(type, reviewer, boardId, facts, this.clock.now()));
  }

  #onItem<T>({ workspaceId }: Reviewer, place: Place, work: (item: ReviewedItem) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(async () => {
      const item = await this.store.lockItem({ workspaceId, ...place }, 'comment');
      if (!item) throw notFound('media');
      return work(item);
    });
  }

  async #existing({ mediaId }: Place, id: number): Promise<Comment> {
    const comment = await this.store.find(mediaId, id);
    if (!comment) throw notFound('comment');
    return comment;
  }

  /** Guests don't know the members: they mention nobody. */
  async #mentions(reviewer: Reviewer, text: string): Promise<readonly number[]> {
    if ('guest' in reviewer || !text.includes('@')) return [];
    const members = await this.store.members(reviewer.workspaceId);
    return mentionsIn(
      text,
      members.filter((member) => member.userId !== reviewer.userId),
    );
  }
}
