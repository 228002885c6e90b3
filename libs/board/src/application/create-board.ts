import type { Clock } from '#kernel';
import type { Actor } from '#identity';
import type { Board } from '../domain/board.ts';
import { nameOf } from '../domain/names.ts';
import type { Boards } from '../ports/boards.ts';

export class CreateBoard {
  readonly #boards: Boards;
  readonly #clock: Clock;

  constructor(boards: Boards, clock: Clock) {
    this.#boards = boards;
    this.#clock = clock;
  }

  /** @throws DomainError `validation_failed` */
  run(actor: Actor, name: string): Promise<Board> {
    return this.#boards.add({
      workspaceId: actor.workspaceId,
      createdBy: actor.userId,
      name: nameOf(name),
      createdAt: this.#clock.now(),
    });
  }
}
