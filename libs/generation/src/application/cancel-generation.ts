import type { Actor } from '#identity';
import { DomainError, notFound, type Clock, type UnitOfWork } from '#kernel';
import { cancel, isOpen } from '../domain/generation.ts';
import type { Generations } from '../ports/generations.ts';
import type { EndGeneration } from './end-generation.ts';

/** Stops a generation that has not ended and gives its credits back; its worker notices soon after. */
export class CancelGeneration {
  readonly #generations: Generations;
  readonly #end: EndGeneration;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(generations: Generations, end: EndGeneration, unitOfWork: UnitOfWork, clock: Clock) {
    this.#generations = generations;
    this.#end = end;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /**
   * Canceling again changes nothing.
   *
   * @throws DomainError `not_found`, `conflict` when it succeeded or failed already
   */
  run(actor: Pick<Actor, 'workspaceId'>, generationId: number): Promise<void> {
    return this.#unitOfWork.run(async () => {
      const generation = await this.#generations.hold(generationId, actor.workspaceId);
      if (!generation) throw notFound('generation');
      if (generation.state === 'canceled') return;
      if (!isOpen(generation)) {
        throw new DomainError('conflict', `the generation has ${generation.state} already`);
      }
      await this.#end.run(generation, cancel(generation, this.#clock.now()));
    });
  }
}
