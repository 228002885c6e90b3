import type { EventLog } from '#events';
import type { Gate } from '#identity';
import { notFound, type Clock, type Page, type PageRequest, type UnitOfWork } from '#kernel';
import type { CommentRequest, Comments, CommentView, Decisions, DecisionView, ReviewViews, Verdict } from '#review';
import { summaryEvent } from './domain/review-summary.ts';
import { assertAllows, hasEntered, namedGuest, requireOpen, type Allowance, type Share } from './domain/share.ts';
import type { Visit } from './guests.ts';
import type { GuestStore, SharedContents } from './ports.ts';

type NamedGuest = { readonly id: number; readonly name: string };

type Writing = {
  readonly share: Share;
  readonly reviewer: { readonly workspaceId: number; readonly guest: NamedGuest; readonly shareId: number };
  readonly place: { readonly boardId: number; readonly mediaId: number };
};

/** Comments and decisions of guests: as those of members, about what the link shows at that moment. */
export class GuestReviews {
  constructor(
    private readonly deps: {
      readonly guests: Pick<GuestStore, 'lockShare'>;
      readonly contents: Pick<SharedContents, 'item' | 'lockBoard' | 'review'>;
      readonly events: EventLog;
      readonly comments: Pick<Comments, 'add' | 'update' | 'delete' | 'assertMayChange'>;
      readonly decisions: Pick<Decisions, 'decide'>;
      readonly views: Pick<ReviewViews, 'comments' | 'comment' | 'decision'>;
      readonly gate: Pick<Gate, 'requireActive'>;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Checks that a guest may write about an item, or change a comment on it.
   *
   * @throws DomainError `not_found`, `forbidden`
   */
  async assertMay(
    { share, guest }: Visit,
    allowance: Allowance,
    mediaId: number,
    commentId: number | null,
  ): Promise<void> {
    const item = await this.deps.contents.item(share, mediaId);
    if (!item) throw notFound('media');
    assertAllows(share, allowance);
    if (commentId === null || !guest?.name) return;
    const reviewer = reviewerOf(share, { id: guest.id, name: guest.name });
    await this.deps.comments.assertMayChange(reviewer, { boardId: item.boardId, mediaId }, commentId);
  }

  /** @throws DomainError `not_found`, `forbidden` */
  async comments({ share }: Visit, mediaId: number, page: PageRequest): Promise<Page<CommentView>> {
    assertAllows(share, 'comment');
    const item = await this.deps.contents.item(share, mediaId);
    const { workspaceId } = share;
    const comments = item && (await this.deps.views.comments({ workspaceId, boardId: item.boardId, mediaId }, page));
    if (!comments) throw notFound('media');
    return comments;
  }

  /**
   * @throws DomainError `not_found`, `forbidden`, `guest_name_required`, `validation_failed`, `conflict` (too many),
   * `workspace_suspended`
   */
  comment(visit: Visit, mediaId: number, request: CommentRequest): Promise<CommentView> {
    return this.#write(visit, mediaId, 'comment', async ({ reviewer, place }) =>
      this.#read(visit, place, await this.deps.comments.add(reviewer, place, request)),
    );
  }

  /** @throws DomainError as `comment`; `forbidden` for comments of others */
  update(visit: Visit, mediaId: number, commentId: number, text: string): Promise<CommentView> {
    return this.#write(visit, mediaId, 'comment', async ({ reviewer, place }) => {
      await this.deps.comments.update(reviewer, place, commentId, text);
      return this.#read(visit, place, commentId);
    });
  }

  /** @throws DomainError as `update`; `conflict` for replies of others */
  delete(visit: Visit, mediaId: number, commentId: number): Promise<void> {
    return this.#write(visit, mediaId, 'comment', ({ reviewer, place }) =>
      this.deps.comments.delete(reviewer, place, commentId),
    );
  }

  /** @throws DomainError as `comment` */
  decide(visit: Visit, mediaId: number, verdict: Verdict, text: string | null): Promise<DecisionView> {
    return this.#write(visit, mediaId, 'decide', async ({ share, reviewer, place }) => {
      const before = await this.deps.contents.item(share, mediaId);
      const id = await this.deps.decisions.decide(reviewer, place, verdict, text);
      if (before?.decision === 'none') await this.#summarize(share, reviewer.guest, 'when all is decided');
      return (await this.deps.views.decision({ workspaceId: reviewer.workspaceId, ...place }, id))!;
    });
  }

  /**
   * Tells the makers of the items and of the link that the guest is done. The same summary is told once.
   *
   * @throws DomainError `not_found`, `forbidden` for a guest who may neither comment nor decide, `guest_name_required`,
   * `workspace_suspended`
   */
  done(visit: Visit): Promise<void> {
    return this.#onShare(visit, visit.share.allow.includes('decide') ? 'decide' : 'comment', ({ share, guest }) =>
      this.#summarize(share, guest),
    );
  }

  async #summarize(share: Share, guest: NamedGuest, when?: 'when all is decided'): Promise<void> {
    const counts = await this.deps.contents.review(share, guest.id);
    if (when && counts.undecided > 0) return;
    await this.deps.events.record(summaryEvent(share, guest, counts, this.deps.clock.now()));
  }

  /** Writes while the link stays as it is and its items stay where they are. */
  #write<T>(visit: Visit, mediaId: number, allowance: Allowance, work: (writing: Writing) => Promise<T>): Promise<T> {
    return this.#onShare(visit, allowance, async ({ share, guest }) => {
      const boardId = await this.deps.contents.lockBoard(share, mediaId);
      if (boardId === null) throw notFound('media');
      return work({ share, reviewer: reviewerOf(share, guest), place: { boardId, mediaId } });
    });
  }

  #onShare<T>(
    visit: Visit,
    allowance: Allowance,
    work: (open: { readonly share: Share; readonly guest: NamedGuest }) => Promise<T>,
  ): Promise<T> {
    const { guests, gate, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      const share = requireOpen(await guests.lockShare(visit.share.id), clock.now());
      if (!hasEntered(share, visit.guest)) throw notFound('share');
      assertAllows(share, allowance);
      const { id, name } = namedGuest(visit.guest);
      await gate.requireActive(share.workspaceId);
      return work({ share, guest: { id, name } });
    });
  }

  async #read({ share: { workspaceId } }: Visit, place: Writing['place'], commentId: number): Promise<CommentView> {
    return (await this.deps.views.comment({ workspaceId, ...place }, commentId))!;
  }
}

function reviewerOf({ workspaceId, id: shareId }: Share, guest: NamedGuest): Writing['reviewer'] {
  return { workspaceId, guest, shareId };
}
