import { notFound } from '#kernel';
import type { Actor } from '#identity';
import type { MediaItems, MediaJson } from '../ports/media-items.ts';

/** Moves media between the folders of their board. */
export class MoveMedia {
  readonly #media: MediaItems;

  constructor(media: MediaItems) {
    this.#media = media;
  }

  /**
   * @param folderId `null` for the board's root
   * @returns the media that are on the board, moved
   * @throws DomainError `not_found` (board or folder)
   */
  async run(
    actor: Actor,
    boardId: number,
    ids: readonly number[],
    folderId: number | null,
  ): Promise<ReadonlyMap<number, MediaJson>> {
    const moved = await this.#media.move(actor.workspaceId, boardId, ids, folderId);
    if ('missing' in moved) throw notFound(moved.missing);
    return new Map(moved.map(({ id, json }) => [id, json]));
  }
}
