import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { GenerationWatch } from '#generation';
import type { Actor } from '#identity';
import { DomainError } from '#kernel';
import { waiting } from '#wiring';
import { StreamLimit } from './stream-limit.ts';

/** Calls that wait for the ends of generations. They count among the event streams of their user. */
@Injectable()
export class GenerationWaits implements OnModuleDestroy {
  readonly #open = new Set<AbortController>();
  #isStopping = false;

  constructor(
    @Inject(GenerationWatch) private readonly watch: GenerationWatch,
    @Inject(StreamLimit) private readonly limit: StreamLimit,
  ) {}

  onModuleDestroy(): void {
    this.#isStopping = true;
    this.#open.forEach((wait) => wait.abort());
  }

  /**
   * Waits for the end of a generation, but no longer than `seconds`, nor after the client has disconnected or the process
   * stops. Holds no connection of the database.
   *
   * @returns whether it has ended; false at once for a user with too many open streams
   */
  async forEnd(actor: Actor, generationId: number, seconds: number, response: Response): Promise<boolean> {
    if (this.#isStopping || !this.limit.tryAcquire(actor.userId, response)) return false;
    const wait = new AbortController();
    this.#open.add(wait);
    const stop = () => wait.abort();
    const timer = setTimeout(stop, seconds * 1000);
    response.once('close', stop);
    if (response.destroyed) stop();
    try {
      return await waiting(() => this.#hasEnded(actor, generationId, wait.signal));
    } catch (error) {
      // The generation is accepted, whatever the subscription does.
      if (error instanceof DomainError) return false;
      throw error;
    } finally {
      clearTimeout(timer);
      response.off('close', stop);
      stop();
      this.#open.delete(wait);
    }
  }

  async #hasEnded(actor: Actor, generationId: number, stop: AbortSignal): Promise<boolean> {
    for await (const { name } of await this.watch.follow(actor, generationId, stop)) {
      if (name === 'done') return true;
    }
    return false;
  }
}
