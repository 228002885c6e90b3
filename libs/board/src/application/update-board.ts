import { notFound } from '#kernel';
import type { Actor } from '#identity';
import type { Board } from '../domain/board.ts';
import { nameOf } from '../domain/names.ts';
import type { Boards } from '../ports/boards.ts';

export class UpdateBoard {
  readonly #boards: Boards;

  constructor(boards: Boards) {
    this.#boards = boards;
  }

  /** @throws DomainError `not_found`, `validation_failed` */
  async run(actor: Actor, boardId: number, change: { readonly name?: string }): Promise<Board> {
    const name = change.name === undefined ? undefined : nameOf(change.name);
    const board = await this.#boards.update(actor.workspaceId, boardId, { name });
    if (!board) throw notFound('board');
    return board;
  }
}
