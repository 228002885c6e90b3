import type { JsonText } from '../http/index.ts';

/** Characters of all texts together. */
const MAX_LENGTH = 32 * 1024 * 1024;

interface RenderedBoard {
  readonly version: number;
  readonly text: JsonText;
}

/**
 * The responses of whole boards, the least recently used ones dropped. A text is valid while its version is the one in
 * the database, so nothing has to be invalidated.
 */
export class RenderedBoards {
  private readonly boards = new Map<number, RenderedBoard>();
  private length = 0;

  find(boardId: number): RenderedBoard | null {
    const found = this.boards.get(boardId);
    if (!found) return null;
    this.boards.delete(boardId);
    this.boards.set(boardId, found);
    return found;
  }

  keep(boardId: number, rendered: RenderedBoard): void {
    this.drop(boardId);
    this.boards.set(boardId, rendered);
    this.length += rendered.text.text.length;
    for (const oldest of this.boards.keys()) {
      if (this.length <= MAX_LENGTH) return;
      this.drop(oldest);
    }
  }

  private drop(boardId: number): void {
    this.length -= this.boards.get(boardId)?.text.text.length ?? 0;
    this.boards.delete(boardId);
  }
}
