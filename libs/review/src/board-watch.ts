import type { BoardViews } from '#board';
import type { Actor } from '#identity';
import { notFound } from '#kernel';
import { BoardNews, type BoardEvent } from './board-news.ts';
import type { BoardSignals } from './ports.ts';
import type { Presence } from './presence.ts';

export type { BoardEvent } from './board-news.ts';

/** Event streams of boards. */
export class BoardWatch {
  readonly #open = new Map<number, Set<BoardNews>>();
  readonly #doubtful = new Set<number>();

  constructor(
    private readonly signals: BoardSignals,
    private readonly boards: Pick<BoardViews, 'version' | 'versions'>,
    private readonly presence: Pick<Presence, 'enter' | 'refresh'>,
  ) {}

  /**
   * Follows a board until it is deleted: its changes, and who looks at it. A slow reader gets the latest of each kind.
   * The caller counts as looking at it.
   *
   * @param known the version that the caller has; the first event is `changed` unless the board still has it
   * @param signal ends the events and frees all resources; must be aborted in the end
   * @throws DomainError `not_found`, `unavailable`
   */
  async follow(
    { workspaceId, userId }: Pick<Actor, 'workspaceId' | 'userId'>,
    boardId: number,
    known: number | null,
    signal: AbortSignal,
  ): Promise<AsyncIterable<BoardEvent>> {
    const news = new BoardNews(known);
    // Subscribed before the board is read, so that no change is missed between them.
    const unsubscribe = await this.signals.watchBoard(boardId, (each) => {
      if (each === 'presence') return this.presence.refresh(boardId);
      if (each !== 'missed') return news.put(each);
      this.presence.refresh(boardId);
      this.#checkSoon(boardId);
    });
    const stops = [unsubscribe, () => news.end()];
    signal.addEventListener('abort', () => stops.forEach((stop) => stop()), { once: true });
    try {
      const version = await this.boards.version(workspaceId, boardId);
      if (version === null) throw notFound('board');
      news.put({ version, review: null });
    } catch (error) {
      unsubscribe();
      throw error;
    }
    if (signal.aborted) stops.forEach((stop) => stop());
    else
      stops.push(
        this.#add(boardId, news),
        this.presence.enter({ boardId, userId }, (people) => news.show(people)),
      );
    return news.events();
  }

  /**
   * Compares the boards that streams show with their versions, and reports changes whose signals were lost.
   *
   * @param boardIds default: all
   */
  async check(boardIds: readonly number[] = [...this.#open.keys()]): Promise<void> {
    const watched = boardIds.filter((boardId) => this.#open.has(boardId));
    if (watched.length === 0) return;
    const versions = await this.boards.versions(watched);
    for (const boardId of watched) {
      const version = versions.get(boardId) ?? null;
      for (const news of this.#open.get(boardId) ?? []) news.put({ version, review: null });
    }
  }

  /** Checks the boards whose streams report a lost connection at the same moment together. */
  #checkSoon(boardId: number): void {
    this.#doubtful.add(boardId);
    if (this.#doubtful.size > 1) return;
    queueMicrotask(() => {
      const boardIds = [...this.#doubtful];
      this.#doubtful.clear();
      // A board that can't be read now is found by the next regular check.
      this.check(boardIds).catch(() => undefined);
    });
  }

  #add(boardId: number, news: BoardNews): () => void {
    const all = this.#open.get(boardId) ?? new Set();
    this.#open.set(boardId, all.add(news));
    return () => {
      all.delete(news);
      if (all.size === 0 && this.#open.get(boardId) === all) this.#open.delete(boardId);
    };
  }
}
