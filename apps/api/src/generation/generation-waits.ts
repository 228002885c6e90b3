import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { GenerationWatch } from '#generation';
import type { Actor } from '#identity';
import { DomainError } from '#kernel';
import { EventStreams } from '../streams/event-streams.ts';

/** Requests that wait for the end of a generation. A closed connection cancels nothing. */
@Injectable()
export class GenerationWaits {
  constructor(
    @Inject(EventStreams) private readonly streams: EventStreams,
    @Inject(GenerationWatch) private readonly watch: GenerationWatch,
  ) {}

  /** @returns whether it has ended; at once `false` for a user with too many open streams */
  async hasEnded(actor: Actor, response: Response, generationId: number, seconds: number): Promise<boolean> {
    const ended = await this.streams.wait(actor, response, seconds, (stop) => this.#ends(actor, generationId, stop));
    return ended ?? false;
  }

  async #ends(actor: Actor, generationId: number, stop: AbortSignal): Promise<boolean> {
    try {
      for await (const { name } of await this.watch.follow(actor, generationId, stop)) if (name === 'done') return true;
    } catch (error) {
      // The generation is accepted, whatever the subscription does.
      if (!(error instanceof DomainError)) throw error;
    }
    return false;
  }
}
