import type { Clock, UnitOfWork } from '#kernel';
import { fail, isOpen } from '../domain/generation.ts';
import type { Generations } from '../ports/generations.ts';
import type { EndGeneration } from './end-generation.ts';
import { generationErrorOf } from './generation-failure.ts';

/** Ends a generation that will not be tried again as failed, and gives its credits back. */
export class GiveUpGeneration {
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

  /** Without effect on a generation that has ended. */
  run(generationId: number, reason: unknown): Promise<void> {
    return this.#unitOfWork.run(async () => {
      const generation = await this.#generations.hold(generationId);
      if (!generation || !isOpen(generation)) return;
      await this.#end.run(generation, fail(generation, generationErrorOf(reason), this.#clock.now()));
    });
  }
}
